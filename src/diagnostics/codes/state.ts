// Codes for trust, the vault, and the command line.
import { define, quote } from "./define.ts";
import { visibleWhole } from "../visible.ts";

export const stateCodes = {
  "trust/untrusted": define<Record<never, never>>(
    "error",
    () => "this file adds servers and is not trusted yet",
    "A cloned repository can bring servers of its own. Before anything is written or started for them, a person looks at them once: `fenzi trust` shows every command line, URL, host and variable and asks. In CI pin the file with `--trust=SHA256` (`fenzi check --json` prints the hash).",
  ),
  "trust/wrong-hash": define<{ expected: string; found: string }>(
    "error",
    (p) =>
      // Hashes look drawn at random, and are no secrets.
      `\`--trust\` names \`${visibleWhole(p.expected).slice(0, 120)}\`, but the file has \`${p.found}\``,
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
  "usage/command-line": define<{ message: string }>(
    "error",
    (p) => p.message,
    "The command line could not be understood, so nothing was done. `--help` behind a command shows what it takes. Under `--json` this is all that the document says.",
  ),
  "check/more": define<{ count: number }>(
    "note",
    (p) => `there ${p.count === 1 ? "is 1 more" : `are ${p.count} more`}`,
    "A file can have more problems than anybody reads: 200 are shown, 10 000 are in a JSON document, errors before warnings. Repair these and look again.",
  ),
};
