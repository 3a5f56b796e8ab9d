// Codes for trust, the vault, and the command line.
import { define, quote } from "./define.ts";

export const stateCodes = {
  "trust/untrusted": define<Record<never, never>>(
    "error",
    () => "this file adds servers and is not trusted yet",
    "A cloned repository can bring servers of its own. Before anything is written or started for them, a person looks at them once: `fenzi trust` shows every command line, URL, host and variable and asks. In CI pin the file with `--trust=SHA256` (`fenzi check --json` prints the hash).",
  ),
  "trust/wrong-hash": define<{ expected: string; found: string }>(
    "error",
    (p) =>
      `\`--trust\` names ${quote(p.expected)}, but the file has ${quote(p.found)}`,
    "The file is another one than the one that was pinned. Look at the change, then pin the new hash.",
  ),
  "trust/needs-terminal": define<{ command: string }>(
    "error",
    (p) => `${quote(p.command)} needs a terminal, or \`--yes\``,
    "Trust is given by a person who has seen the servers. Without a terminal nobody can be asked.",
  ),
  "state/not-ours": define<{ file: string; reason: string }>(
    "error",
    (p) => `${quote(p.file)} ${p.reason}`,
    "A file in the state folder is not as Fenzi wrote it. It is never treated as empty: look at it, and take it away if it is of no use.",
  ),
};
