// What argument rules ask of the disk and the clock, from a host: the `Facts` of `src/enforce`.
import { performance } from "node:perf_hooks";
import type { Host } from "./host.ts";

/** Errors after which nothing can be at a path, now. */
const ABSENT = new Set(["ENOENT", "ENOTDIR", "ENAMETOOLONG", "EINVAL"]);

/** Milliseconds for which a list of names is used again: calls that come at once share it. */
const FRESH = 50;

/**
 * The `Facts` of a host: its files as they are when a call is judged. Never throws; what cannot be looked at is said, and
 * refused by the rules.
 */
export function pathFacts({
  files,
  platform,
}: Pick<Host, "files" | "platform">) {
  let kept: { folder: string; names: readonly string[]; until: number } | null =
    null;
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
    /** Names in a folder, at most a moment old; none when it cannot be listed. */
    list(folder: string): readonly string[] {
      const start = performance.now();
      if (kept?.folder === folder && start < kept.until) return kept.names;
      let names: readonly string[] = [];
      try {
        names = files.list(folder);
      } catch {
        // Nothing in it can be named by a word.
      }
      const end = performance.now();
      // A large folder is not read all the time.
      kept = { folder, names, until: end + FRESH + 20 * (end - start) };
      return names;
    },
    /** Milliseconds from any start; never goes back. */
    now: (): number => performance.now(),
    windows: platform === "win32",
  };
}
