// One name for a place, however it is reached.
import { basename, dirname, isAbsolute, join, relative, sep } from "node:path";
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

/** Whether a path is a folder or lies below it. Both are real and absolute. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
