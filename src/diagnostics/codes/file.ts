// Codes for finding, reading and writing files.
import { define, quote } from "./define.ts";

export const fileCodes = {
  "read/no-project": define<{ folder: string }>(
    "error",
    () => `there is no \`fenzi.yaml\` here and no machine file`,
    "Fenzi looks for `fenzi.yaml` from the current folder up to the root of the repository (the nearest folder with `.git`), and for the machine file. Neither exists, so there is nothing to work on. `fenzi init` makes a first file, `fenzi mcp add` makes one with a server in it.",
  ),
  "read/not-readable": define<{ file: string; reason: string }>(
    "error",
    (p) => `${quote(p.file)} cannot be read: ${p.reason}`,
    "The file exists but the operating system refused to open it. Check its owner and mode.",
  ),
  "read/not-a-file": define<{ file: string }>(
    "error",
    (p) => `${quote(p.file)} is not a regular file`,
    "A configuration file must be a regular file. Folders, devices, pipes and sockets are never read.",
  ),
  "read/too-large": define<{ file: string; limit: string }>(
    "error",
    (p) => `${quote(p.file)} is larger than ${p.limit}`,
    "A configuration file may have at most 1 MiB. Anything larger is a mistake or an attack.",
  ),
  "read/link-leaves-folder": define<{ file: string; target: string }>(
    "error",
    (p) =>
      `${quote(p.file)} is a link to ${quote(p.target)}, outside its folder`,
    "A configuration file may be a symbolic link only to a file in the same folder or below it: otherwise a cloned repository could make Fenzi read any file of yours.",
  ),
  "read/not-utf8": define<{ file: string }>(
    "error",
    (p) => `${quote(p.file)} is not valid UTF-8`,
    "Configuration files are UTF-8. A byte sequence that is not would be changed in reading, and two programs could read two different rules.",
  ),
  "read/others-may-write": define<{ file: string }>(
    "error",
    (p) => `others may write ${quote(p.file)}`,
    "The machine file limits every project on this machine, so nobody but you (or root) may own or write it. `chmod go-w FILE` repairs the mode.",
  ),
  "write/not-writable": define<{ file: string; reason: string }>(
    "error",
    (p) => `${quote(p.file)} cannot be written: ${p.reason}`,
    "The operating system refused to write the file or its folder. Nothing was changed: files are written beside the old one and renamed.",
  ),
  "write/changed-meanwhile": define<{ file: string }>(
    "error",
    (p) => `${quote(p.file)} keeps changing while it is being written`,
    "Somebody else wrote the file between reading and writing. Fenzi read it again and planned again three times, and it changed each time. Nothing was overwritten.",
  ),
  "write/cannot-edit": define<{ file: string; reason: string }>(
    "error",
    (p) => `${quote(p.file)} cannot be edited safely: ${p.reason}`,
    "An edit is a splice of bytes, checked by reading the result again: everything but the edited entry must be equal. Here it would not be, so the file was left alone. Make the change by hand.",
  ),
  "plan/foreign-file": define<{ file: string; agent: string }>(
    "error",
    (p) =>
      `${quote(p.file)} was not written by fenzi, and ${p.agent} would read it`,
    "The compiled folder holds a file that the agent reads as configuration or runs, and Fenzi did not put it there. With it the agent would not use only what the policy says. Look at it, then move it away.",
  ),
  "plan/out-not-ours": define<{ folder: string }>(
    "error",
    (p) =>
      `${quote(p.folder)} is not empty and was not made by \`fenzi compile\``,
    "`--out` must name a folder that is absent, empty, or that `fenzi compile` made before. Otherwise files of yours could be overwritten, or files of others could configure the agent.",
  ),
  "plan/path-outside": define<{ file: string }>(
    "error",
    (p) => `${quote(p.file)} is a link, and nothing is compiled through one`,
    "The folder of `--out`, or something in it, is a symbolic link. What lies behind it may be files of yours, such as an agent's own settings, which Fenzi would overwrite. Take the link away, or name the folder itself with `--out`. Folders above that of `--out` may be links.",
  ),
  "plan/differs": define<{ count: number }>(
    "error",
    (p) =>
      `${p.count} compiled ${p.count === 1 ? "file differs" : "files differ"} from what \`fenzi compile\` would write`,
    "`--check` compares what would be written with what is there, and found a difference. Run `fenzi compile`.",
  ),
};
