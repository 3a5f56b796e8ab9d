// Codes for the commands that edit a file: `mcp add`, `mcp remove`, and the tools that a server is asked for.
import { define, quote, serverHint } from "./define.ts";

export const editCodes = {
  "edit/name-exists": define<{ name: string; file: string }>(
    "error",
    (p) => `${quote(p.name)} is already in ${quote(p.file)}`,
    "`fenzi mcp add` does not change a server that is there, unless `--update` says so. With `--update` what is given replaces what was there: the URL or command, and each list of tools; variables and headers are set one by one, and all else stays.",
  ),
  "edit/outer-name": define<{ name: string; layer: string }>(
    "error",
    (p) =>
      `${quote(p.name)} is defined by the ${p.layer} file; an entry here can only narrow it`,
    "What a server is belongs to the outermost file that defines it. An inner file can take tools away from it, but not say where it is or what it runs.",
  ),
  "edit/secret": define<{ what: string }>(
    "error",
    (p) =>
      `the value of ${quote(p.what)} looks like a secret; all could read it in the file`,
    "Secrets do not belong into a file that goes into git or is read by an agent. Give a reference instead of the value: `'NAME=${NAME}'` in single quotes, so that the shell leaves it alone; the variable is read when the server is started. A remote server's own token goes into the keychain: `--token`.",
  ),
  "edit/no-server": define<{ name: string; nearest: string | null }>(
    "error",
    (p) => `there is no server ${quote(p.name)}${serverHint(p.nearest)}`,
    "The name is in none of the files that count here. `fenzi mcp list` shows them all.",
  ),
  "edit/elsewhere": define<{ name: string; file: string }>(
    "error",
    (p) => `${quote(p.name)} is in ${quote(p.file)}, which is not edited here`,
    "`fenzi mcp remove` takes a server out of the repository's nearest file that has it, and with `--machine` out of the machine file. It never reaches into the machine file unasked.",
  ),
  "edit/preset-network": define<{ preset: string }>(
    "error",
    (p) =>
      `the preset ${quote(p.preset)} needs the network, and \`airGap\` is on`,
    "With `airGap: true` agents get only what is on this machine. A local program whose whole work is to reach others would lead around that.",
  ),
  "edit/tools-not-listed": define<{ name: string; reason: string }>(
    "error",
    (p) => `the tools of ${quote(p.name)} cannot be listed: it ${p.reason}`,
    "Without `--tool` and `--all-tools` the server is asked for its tools, so that they can be offered as a checklist. Name the tools yourself to add it without asking.",
  ),
};
