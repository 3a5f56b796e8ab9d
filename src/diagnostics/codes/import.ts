// Codes for reading other tools' files. No message holds a value of such a file: any of them may be a secret.
import { define, quote } from "./define.ts";

/** Names of keys, at most five. */
const some = (names: readonly string[]): string =>
  names.length <= 5
    ? quote(...names)
    : `${quote(...names.slice(0, 5))} and ${names.length - 5} more`;

export const importCodes = {
  "import/nothing-found": define<Record<never, never>>(
    "error",
    () => "no file of another tool was found here; name one",
    "`fenzi mcp import` without a file looks for `.mcp.json`, `.cursor/mcp.json`, `.vscode/mcp.json` and their kin in the project.",
  ),
  "import/not-json": define<{ reason: string }>(
    "error",
    (p) => `not valid JSON: ${p.reason}`,
    "The file does not parse as JSON, even with comments and trailing commas allowed. Nothing was written: correct it at the position shown, or leave it out.",
  ),
  "import/too-many": define<{ file: string; most: number }>(
    "error",
    (p) => `${quote(p.file)} has more than ${p.most} servers`,
    "A file of ours holds at most 1000 servers, and nobody reads more. Nothing was written: take out of the file what is not needed.",
  ),
  "import/no-servers": define<{ file: string }>(
    "warning",
    (p) => `there are no servers in ${quote(p.file)}`,
    'Servers are looked for under `mcpServers`, under `servers`, under `mcp.servers`, and at the top of the file when every value is a server. A single entry needs a name around it: `{"mcpServers": {"NAME": {…}}}`.',
  ),
  "import/not-strict-json": define<Record<never, never>>(
    "note",
    () =>
      "comments or trailing commas are read here, but not by every agent that reads this file",
    "Claude Code and Claude Desktop take only strict JSON and may skip the whole file without a word. Commented-out servers are not imported.",
  ),
  "import/read-from": define<{ wrapper: string; left: readonly string[] }>(
    "note",
    (p) =>
      `the servers are those of ${quote(p.wrapper)}; not read: ${some(p.left)}`,
    "Everything else in the file belongs to the tool it was written for.",
  ),
  "import/server-dropped": define<{
    name: string;
    reason: string;
    why: string;
  }>(
    "error",
    (p) => `${quote(p.name)} is not imported (${p.reason}): it ${p.why}`,
    "The other servers of the file are imported. The reasons: `sse` (the retired HTTP+SSE transport, which no agent speaks reliably: ask the server's maker for its Streamable HTTP address), `no-transport` (no usable `command` or `url`), `not-an-entry` (not an object that can be read as a server), `plain-http` (`http` to another machine), `secret-in-url` and `variable-in-url` (where a server is must be readable in the file, and addresses end up in logs: use `token: true`), `name-taken` and `host-taken` (two servers under one name, or at one address: one server, one entry).",
  ),
  "import/key-dropped": define<{
    name: string;
    keys: readonly string[];
    why: string;
  }>(
    "warning",
    (p) =>
      `${some(p.keys)} of ${quote(p.name)} ${p.keys.length === 1 ? "is" : "are"} left out: ${p.why}`,
    "The server is imported without these keys, because Fenzi has no such setting, or will not copy the value. Look whether the server works without them.",
  ),
  "import/default-dropped": define<{
    name: string;
    where: string;
    variable: string;
  }>(
    "warning",
    (p) =>
      `${quote(p.variable)} in ${quote(p.where)} of ${quote(p.name)} has a default there, which is not taken over`,
    "A default hides that a variable is missing, so Fenzi has none: set the variable, or write the value instead of the reference.",
  ),
  "import/kept": define<{ name: string; same: boolean }>(
    "note",
    (p) =>
      p.same
        ? `${quote(p.name)} is there already`
        : `${quote(p.name)} is there already, defined differently, and stays as it is`,
    "Importing never changes a server that is already defined, here or in a file that was read before. To take the other definition, remove the server first.",
  ),
  "import/guard-skipped": define<{ name: string }>(
    "note",
    (p) => `${quote(p.name)} was written by fenzi and is not imported`,
    "An entry that starts `fenzi guard` stands for a server that is in fenzi.yaml already.",
  ),
  "import/renamed": define<{ name: string; from: string }>(
    "note",
    (p) => `${quote(p.from)} becomes ${quote(p.name)}`,
    "Names have letters, digits and single `-` or `_`, start with a letter and have at most 40 characters, so that every agent takes them.",
  ),
  "import/all-tools": define<{ name: string }>(
    "note",
    (p) => `${quote(p.name)} gets \`tools: all\`, as its source lists none`,
    "A remote server without a list of tools could call everything in the tool the file was written for, so it may here. List the tools you use under `tools.allow` to narrow it.",
  ),
  "import/sse-url": define<{ name: string }>(
    "warning",
    (p) =>
      `the URL of ${quote(p.name)} ends in \`/sse\`, as those of the retired transport do`,
    "The server may speak only HTTP+SSE, which Fenzi does not. Look in its documentation for the Streamable HTTP address, which often ends in `/mcp`.",
  ),
  "import/switched-off": define<{ name: string; why: string }>(
    "note",
    (p) => `${quote(p.name)} is imported switched off: ${p.why}`,
    "A server that its source does not start is written with `enabled: false`. Take the line away to use it.",
  ),
  "import/secret": define<{ name: string; where: string; variable: string }>(
    "warning",
    (p) =>
      `the secret in ${quote(p.where)} of ${quote(p.name)} is not copied: set ${quote(p.variable)}`,
    "Secrets are never copied into fenzi.yaml. One of a command, a variable or a second header is replaced by a `${NAME}` reference: set that variable where the agent is started.",
  ),
  "import/token": define<{
    name: string;
    where: string;
    variable: string | null;
  }>(
    "warning",
    (p) =>
      `the token in ${quote(p.where)} of ${quote(p.name)} is not copied${p.variable === null ? "" : `; its source took it from ${quote(p.variable)}`}`,
    "A bearer token or a key of a remote server becomes `token`: store its value with `fenzi mcp token NAME`. It then lies in the keychain and in no file.",
  ),
  "import/same-variable": define<{
    name: string;
    other: string;
    variable: string;
  }>(
    "warning",
    (p) =>
      `${quote(p.name)} and ${quote(p.other)} have different secrets in ${quote(p.variable)}`,
    "Both servers now take the value from one variable of that name. Give one of them a reference to another variable.",
  ),
  "import/reference": define<{ from: string; variable: string; name: string }>(
    "note",
    (p) =>
      `${quote(p.from)} in ${quote(p.name)} becomes the variable ${quote(p.variable)}`,
    "References are to environment variables. There is no prompt and no setting of an editor to take a value from, so the variable has to be set.",
  ),
  "import/agent-variable": define<{
    variable: string;
    agent: string;
    name: string;
  }>(
    "note",
    (p) => `${quote(p.variable)} in ${quote(p.name)} is set only by ${p.agent}`,
    "The reference is kept, but outside that tool nobody sets the variable. Set it yourself or write the value.",
  ),
  "import/not-expanded": define<{ text: string; where: string; name: string }>(
    "note",
    (p) =>
      `${quote(p.text)} in ${quote(p.where)} of ${quote(p.name)} stays as it is written`,
    "Only `${NAME}` is a reference. `$NAME`, `%NAME%`, `~` and a `${` without a name are passed on as text: a shell may expand them, a program started without one does not.",
  ),
  "import/blank-in-program": define<{ name: string }>(
    "warning",
    (p) =>
      `the program of ${quote(p.name)} has a blank in it and is taken as one word`,
    "Some tools hand such a text to a shell, which splits it. Fenzi starts programs without a shell: if it is a program and arguments, write them as separate words of `command`.",
  ),
  "import/windows-command": define<{ name: string; program: string }>(
    "note",
    (p) =>
      `${quote(p.name)} starts ${quote(p.program)} through \`cmd\`, which only Windows has`,
    "`cmd /c` is how Windows starts `npx` and other scripts. On other systems take `cmd` and `/c` away.",
  ),
};
