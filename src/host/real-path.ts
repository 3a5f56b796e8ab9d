// One name for a place, however it is reached.
import { basename, dirname, join } from "node:path";
import type { Files } from "./host.ts";

/** The real path of what need not be there yet: of as much of it as there is. */
export function realPath(files: Pick<Files, "realpath">, path: string): string {
  try {
    return files.realpath(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : join(realPath(files, above), basename(path));
  }
}
