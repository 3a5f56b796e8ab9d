// Files that whoever started us left open: a server would get them as well. On Linux they can be told from our own, which
// are all closed when another program is started.
import { closeSync, readdirSync, readFileSync } from "node:fs";

const CLOSE_ON_EXEC = 0o2000000;

/** Closes them, but for the three standard ones. For a program of ours: in another's process they may be of use. */
export function closeInherited(): void {
  if (process.platform !== "linux") return;
  for (const name of readdirSync("/proc/self/fd")) {
    const file = Number(name);
    if (file < 3) continue;
    try {
      const flags = /^flags:\s*([0-7]+)$/m.exec(
        readFileSync(`/proc/self/fdinfo/${name}`, "utf8"),
      )?.[1];
      if (flags !== undefined && (parseInt(flags, 8) & CLOSE_ON_EXEC) === 0)
        closeSync(file);
    } catch {
      // Closed meanwhile: the one that lists them is among them.
    }
  }
}
