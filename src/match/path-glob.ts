// Globs over paths: `*` is any run of characters within a segment, `**` any number of segments, dot files included.
// Pure; a match takes time in proportion to the lengths of both.
import { globCovers, globMatches } from "./tool-pattern.ts";

/** The segments of a glob or of a path, without empty ones and `.`. */
export const segmentsOf = (text: string): readonly string[] =>
  text.split("/").filter((segment) => segment !== "" && segment !== ".");

/** From the root of a disk: `/x`, `C:/x`. */
export const isAbsolute = (text: string): boolean =>
  text.startsWith("/") || /^[A-Za-z]:\//.test(text);

/** `src/**` matches `src` as well. */
export const pathMatches = (
  glob: readonly string[],
  path: readonly string[],
): boolean => matches(glob, path, globMatches);

/** Whether every path that matches `inner` certainly matches `outer`. */
export const pathGlobCovers = (
  outer: readonly string[],
  inner: readonly string[],
): boolean => matches(outer, inner, (a, b) => b !== "**" && globCovers(a, b));

/** The runs between the `**` are found one after the other, each as early as it can be. */
function matches(
  glob: readonly string[],
  path: readonly string[],
  one: (pattern: string, segment: string) => boolean,
): boolean {
  const first = glob.indexOf("**");
  const fits = (from: number, to: number, at: number): boolean => {
    for (let i = from; i < to; i++)
      if (!one(glob[i] ?? "", path[at + i - from] ?? "")) return false;
    return true;
  };
  if (first < 0) return glob.length === path.length && fits(0, glob.length, 0);
  const last = glob.lastIndexOf("**");
  const end = path.length - (glob.length - 1 - last);
  if (end < first || !fits(0, first, 0)) return false;
  if (!fits(last + 1, glob.length, end)) return false;
  let at = first;
  for (let from = first + 1; from <= last;) {
    const to = glob.indexOf("**", from);
    while (at + to - from <= end && !fits(from, to, at)) at++;
    if (at + to - from > end) return false;
    at += to - from;
    from = to + 1;
  }
  return true;
}
