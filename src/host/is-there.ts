// Whether something is at a path, for callers that read it next.
import type { Files } from "./host.ts";

/** A place that cannot be looked at counts as taken: whoever reads it then learns why not. Never "absent". */
export function isThere(files: Pick<Files, "lstat">, path: string): boolean {
  try {
    return files.lstat(path) !== null;
  } catch {
    return true;
  }
}
