// Codes for what an agent's own file can and cannot hold.
import { define, quote } from "./define.ts";

export const emitCodes = {
  "deliver/air-gap": define<{ name: string }>(
    "warning",
    (p) =>
      `${quote(p.name)} is left out: \`airGap\` allows only servers on this machine`,
    "With `airGap: true` only local commands and servers on loopback are given to agents.",
  ),
  "deliver/socket": define<{ name: string }>(
    "warning",
    (p) => `${quote(p.name)} is left out: agents connect to no socket or pipe`,
    "A server at a `unix:` or `pipe:` address is reached through `fenzi gateway`, which gives agents an address of its own for it, or through `fenzi guard`.",
  ),
  "deliver/tools-left-out": define<{
    rule: string;
    agent: string;
    server: string;
    effect: string;
  }>(
    "warning",
    (p) =>
      p.effect === "allow"
        ? `${p.agent} cannot say ${quote(p.rule)} of ${quote(p.server)}; what only it allows is not offered there`
        : `${p.agent} cannot say ${p.effect} ${quote(p.rule)} of ${quote(p.server)}; only tools that are allowed by name are offered there`,
    "The agent's own filter has no form that means the same for every tool name, so Fenzi wrote less, never more. List the tools by name to have them offered in this agent, or pin them: with `fenzi mcp pin` their names stand in `fenzi.lock` and take the pattern's place.",
  ),
  "deliver/not-enforced": define<{
    keys: readonly string[];
    agents: readonly string[];
    server: string;
    remote: boolean;
  }>(
    "error",
    (p) =>
      `${p.agents.join(", ")} ${p.agents.length === 1 ? "has" : "have"} no form for ${quote(...p.keys)} of ${quote(p.server)}, and ${p.remote ? "without a gateway nothing" : "nothing else"} enforces ${p.keys.length === 1 ? "it" : "them"}`,
    "With `fenzi compile` agents connect to servers themselves, and a rule that an agent's file cannot hold is held there by nobody. For a remote server `fenzi gateway` holds it, so this is a warning. A local server is started by the agent itself: there it is an error, and `--allow-unenforced` makes it a warning.",
  ),
  "deliver/reference-not-supported": define<{
    text: string;
    agent: string;
    instead: string;
  }>(
    "error",
    (p) => `${p.agent} does not expand ${quote(p.text)} here; ${p.instead}`,
    'The agent has no form for this reference here, or would read another value. Codex expands nothing in its file: it can pass a variable on under its own name (`env: {A: "${A}"}`) and send a header that is just `${NAME}`, and no more.',
  ),
  "deliver/unescapable": define<{ text: string; agent: string; key: string }>(
    "error",
    (p) =>
      `${p.agent} would change ${quote(p.text)} in ${quote(p.key)}, and has no escape for it`,
    "Agents replace some forms (`${…}`, `{env:…}`, `{{…}}`) in their files. Where an escape is proven Fenzi writes it; here there is none, and the value would not arrive as written.",
  ),
  "deliver/cwd-not-held": define<{ agent: string; server: string }>(
    "warning",
    (p) =>
      `${p.agent} starts ${quote(p.server)} in the folder where the agent runs, not in one of its own`,
    "The agent has no setting for a server's working folder. A command like `npx` can then run what the project's `node_modules` holds. Use an absolute path in `command`, or name this agent's list without the server.",
  ),
  "deliver/cwd-not-supported": define<{ agent: string; server: string }>(
    "error",
    (p) =>
      `${p.agent} has no setting for the \`cwd\` of ${quote(p.server)}; only \`fenzi guard\` holds it`,
    "The agent has no setting for a server's working folder, and a folder that was asked for in so many words is not dropped in silence. Leave `cwd` out, leave this agent out with `--agent`, or use `fenzi apply`: it puts the server behind `fenzi guard`, which starts it there.",
  ),
  "emit/settings-reserved": define<{ key: string; agent: string }>(
    "error",
    (p) => `${quote(p.key)} cannot be set under \`agents.${p.agent}.config\``,
    "Native settings may not hold MCP servers, permissions, tool filters or trust: those come from the servers and rules of the files, and must not be loosened beside them.",
  ),
  "emit/agents-that-work": define<{ flags: string; done: string }>(
    "note",
    (p) =>
      p.flags === ""
        ? `no agent can be ${p.done} as it stands`
        : `the other agents can be ${p.done}: ${p.flags}`,
    "An error for one agent stops all, so that no agent runs on an older policy than the others. The flags name those that have no error.",
  ),
};
