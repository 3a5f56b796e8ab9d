// Codes for the agents' own files in a project: what `fenzi apply` writes into them, and what stands there beside it.
import { define, quote } from "./define.ts";

export const applyCodes = {
  "agent/not-parsed": define<{ reason: string }>(
    "error",
    (p) => `this file of an agent does not parse: ${p.reason}`,
    "The file is not valid JSON (with comments and trailing commas) or TOML. What does not parse is never written anew: correct it at the position shown.",
  ),
  "agent/also-loads": define<{ agent: string; server: string }>(
    "note",
    (p) => `${p.agent} also loads ${quote(p.server)}, which is not of fenzi`,
    "An agent that is started in this project reads this file as well, and its calls to that server pass no guard and no gateway. `fenzi mcp import` brings the server into fenzi.yaml; `fenzi apply --only` switches others off as far as the agent's project files can; `fenzi compile` starts the agent without them.",
  ),
  "agent/not-read": define<{ agent: string; file: string; reason: string }>(
    "note",
    (p) =>
      `${quote(p.file)}, which ${p.agent} reads, cannot be read: ${p.reason}`,
    "The file may hold servers that the agent loads beside those of fenzi. Whether it does cannot be said.",
  ),
  "apply/conflict": define<{ key: string; why: string }>(
    "error",
    (p) => `${quote(p.key)} ${p.why}`,
    "`fenzi apply` owns only what it wrote into this file. What stands here was written by somebody else, or was changed since; it is never overwritten. Bring it into fenzi.yaml with `fenzi mcp import` unless it is there, take it out of this file or give it another name, and apply again.",
  ),
  "apply/link": define<{ file: string }>(
    "error",
    (p) => `${quote(p.file)} is a link, and nothing is written through one`,
    "A cloned repository could make `.codex` or `.mcp.json` a link to a file of yours, which would then be changed. Take the link away.",
  ),
  "apply/home": define<{ folder: string }>(
    "error",
    (p) =>
      `${quote(p.folder)} is the home folder, where these files are your own settings for every project`,
    "In the home folder `.codex/config.toml`, `.claude/settings.json` and `.grok/config.toml` are read for every project. `fenzi apply` writes for one project: run it in that project's folder.",
  ),
  "apply/rules-left-out": define<{ agent: string; key: string }>(
    "warning",
    (p) =>
      `${quote(p.key)} is here already, so ${p.agent} gets no rules of its own; the guard holds them all the same`,
    "A table of TOML stands once in a file. This one is yours, so Fenzi leaves it alone and writes only the servers. The agent then asks by its own rules before a call; what is refused is refused by the guard.",
  ),
  "apply/meets": define<{ agent: string; server: string }>(
    "error",
    (p) =>
      `${p.agent} lays ${quote(p.server)} of the project over this server of the same name, and would take neither as it is`,
    "This agent merges a project's file into your own, key by key. A `command` over a `url` makes its whole configuration fail, and a command would get the other one's variables. Rename one of the two, or leave this agent out with `--agent`.",
  ),
  "apply/shadowed": define<{ agent: string; server: string }>(
    "warning",
    (p) =>
      `${p.agent} takes this ${quote(p.server)} and not the guard: this file counts more than the project's`,
    "The agent has another server of that name in a file that wins over the one that Fenzi writes. Its calls pass no guard. Take it out there.",
  ),
  "apply/still-loaded": define<{ agent: string; server: string }>(
    "warning",
    (p) =>
      `${p.agent} goes on loading ${quote(p.server)}: no file of a project can switch it off`,
    "`--only` switches off what an agent's project files can. For the rest use `fenzi compile`, whose launch line starts the agent with nothing but fenzi's servers, or take the server out here.",
  ),
  "apply/half-written": define<{ written: string; failed: string }>(
    "error",
    (p) =>
      `${p.written} is written and could not be put back, ${p.failed} is not written`,
    "The files of all agents are written together. Writing one failed, and then one that was already written could not be put back as it was. `fenzi apply --revert` takes out what is there.",
  ),
  "apply/differs": define<{ count: number }>(
    "error",
    (p) =>
      `${p.count} ${p.count === 1 ? "file differs" : "files differ"} from what \`fenzi apply\` would write`,
    "`--check` compares the agents' files with what would be written, and found a difference. Run `fenzi apply`.",
  ),
};
