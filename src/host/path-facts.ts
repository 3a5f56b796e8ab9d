// What argument rules ask of the disk and the clock, from a host: the `Facts` of `src/enforce`.
import { performance } from "node:perf_hooks";
import type { Host } from "./host.ts";

/** Errors after which nothing can be at a path, now. */
const ABSENT = new Set(["ENOENT", "ENOTDIR", "ENAMETOOLONG", "EINVAL"]);

/** Stateless; one serves every server. */
export function pathFacts({
  files,
  platform,
}: Pick<Host, "files" | "platform">) {
  return {
    /** What stands at an absolute path, no link followed at its end; null when it cannot be looked at. */
    look(path: string): "nothing" | "link" | "something" | null {
      try {
        const found = files.lstat(path);
        if (found === null) return "nothing";
        return found.kind === "link" ? "link" : "something";
      } catch (error) {
        const { code = "" } = error as NodeJS.ErrnoException;
        return ABSENT.has(code) ? "nothing" : null;
      }
    },
    /** Where an absolute path of something leads, all links followed; null when that cannot be said. */
    realpath(path: string): string | null {
      try {
        return files.realpath(path);
      } catch {
        return null;
      }
    },
    /** Names in a folder; none when it cannot be listed. */
    list(folder: string): readonly string[] {
      try {
        return files.list(folder);
      } catch {
        return [];
      }
    },
    /** Milliseconds from any start; never goes back. */
    now: (): number => performance.now(),
    windows: platform === "win32",
  };
}
