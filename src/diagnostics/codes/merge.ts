// Codes for what layers say about each other.
import { define, quote } from "./define.ts";

export const mergeCodes = {
  "merge/nothing-to-narrow": define<{ name: string; nearest: string | null }>(
    "error",
    (p) =>
      `${quote(p.name)} has neither \`url\` nor \`command\`, and no outer file defines it${p.nearest === null ? "" : `; did you mean ${quote(p.nearest)}?`}`,
    "An entry without a transport narrows the server of that name in the machine file (or further up in the repository). There is none of that name.",
  ),
  "merge/identity": define<{ name: string; key: string; layer: string }>(
    "error",
    (p) =>
      `${quote(p.key)} of ${quote(p.name)} differs from what the ${p.layer} file says`,
    "What a server is (url, command, cwd, env, headers, token, isolation) is decided by the file that defines it: an inner file that changes it could send a token elsewhere or run something else under a trusted name. Leave the key out, or use another name.",
  ),
  "merge/name-taken": define<{ name: string; other: string }>(
    "error",
    (p) => `the name ${quote(p.name)} is too close to ${quote(p.other)}`,
    "Names are compared without regard to case and to `-` versus `_`, because some agents compose them into tool names that way. Two such names would be mixed up.",
  ),
  "merge/name-prefix": define<{ name: string; other: string }>(
    "error",
    (p) =>
      `${quote(p.name)} begins like ${quote(p.other)} followed by \`_\`: OpenCode could not tell their tools apart`,
    "OpenCode joins server and tool with one `_`: tool `x_y` of `gw` and tool `y` of `gw_x` would both be `gw_x_y`. Use `-` in the longer name.",
  ),
  "merge/same-address": define<{ name: string; other: string }>(
    "error",
    (p) =>
      `${quote(p.name)} has the same host, port and path as ${quote(p.other)}`,
    "One server, one entry: otherwise the rules of the one could be passed by calling the other.",
  ),
  "merge/host-taken": define<{ name: string; other: string; address: string }>(
    "error",
    (p) =>
      `${quote(p.name)} is at ${p.address}, which belongs to the machine's server ${quote(p.other)}`,
    "A machine's server owns its host and port: a project's entry there under another name would get around the machine's rules. Narrow the machine's server by its own name.",
  ),
  "merge/no-project-servers": define<{ name: string }>(
    "error",
    (p) => `${quote(p.name)}: the machine file lets no project add servers`,
    "The machine file says `projectServers: false`. A project can narrow the machine's servers, not add to them.",
  ),
  "merge/tool-not-allowed": define<{
    rule: string;
    layer: string;
    wider: boolean;
  }>(
    "warning",
    (p) =>
      p.wider
        ? `${quote(p.rule)} reaches beyond what the ${p.layer} file allows; the rest stays refused`
        : `tool ${quote(p.rule)} is not allowed by the ${p.layer} file and stays refused`,
    "An inner file can only narrow. A tool must be allowed by every layer that lists tools; what only this file lists stays refused.",
  ),
  "merge/limit-not-raised": define<{
    key: string;
    wanted: string;
    held: string;
  }>(
    "warning",
    (p) =>
      `${quote(p.key)} stays ${p.held}: ${p.wanted} is more than an outer file lets through`,
    "The smallest limit of all layers holds. For a server that an outer file defines, what holds without a line there (`call` 60s, `request` 4MiB, `response` 16MiB) counts as that file's line.",
  ),
  "merge/outer-only": define<{ name: string; what: string }>(
    "error",
    (p) => `${quote(p.name)}: ${p.what} belongs into the machine file`,
    "A socket of this machine can be a door to all of it (a container engine, a desktop), and `cwd: project` makes a server of the machine start in whatever project is open. A repository's file cannot ask for either.",
  ),
  "merge/argument-not-allowed": define<{
    key: string;
    rule: string;
    layer: string;
  }>(
    "warning",
    (p) =>
      `${quote(p.rule)} under ${quote(p.key)} reaches beyond what the ${p.layer} file allows; the rest stays refused`,
    "An inner file can only narrow. What a call names must be allowed by every layer that says something about paths or hosts, and for a local server of an outer file that has no `paths`, its own folder counts as a line of that file.",
  ),
  "merge/reads-elsewhere": define<{ layer: string }>(
    "error",
    (p) =>
      `\`tools.reads\` is said by the ${p.layer} file, which defines the server`,
    "Which tools only read loosens what they may name, so only the file that says what the server is may say it.",
  ),
  "merge/cannot-enable": define<{ name: string; layer: string }>(
    "warning",
    (p) =>
      `${quote(p.name)} is switched off by the ${p.layer} file and stays off`,
    "`enabled: false` of any layer wins.",
  ),
};
