// Rules about paths → the folders and files that an isolated server is given. A mount has no wildcards: of `src/*.ts` it
// is all of `src`, and the rules about arguments say the rest. Pure.
import type { PathLayer } from "../model/model.ts";

/** Real absolute paths. `home` is what `~` means. */
export function mountFolders(
  layers: readonly PathLayer[],
  home: string,
): { readonly read: readonly string[]; readonly write: readonly string[] } {
  const wide = layers.map(({ folder, read, write }) => {
    const roots = (rules: PathLayer["read"]) =>
      rules.map(({ value }) => rootOf(value, folder, home));
    // What may be written may be read.
    return { read: roots([...read, ...write]), write: roots(write) };
  });
  return {
    read: common(wide.map(({ read }) => read)),
    write: common(wide.map(({ write }) => write)),
  };
}

/** All before the first segment with a `*`. */
function rootOf(glob: string, folder: string, home: string): string {
  const text =
    glob === "~" || glob.startsWith("~/") ? home + glob.slice(1) : glob;
  const segments = (text.startsWith("/") ? text : `${folder}/${text}`)
    .split("/")
    .filter((segment) => segment !== "" && segment !== ".");
  const first = segments.findIndex((segment) => segment.includes("*"));
  return `/${(first < 0 ? segments : segments.slice(0, first)).join("/")}`;
}

/** What every list holds: of two folders, one within the other, the inner one. */
const common = (lists: readonly (readonly string[])[]): readonly string[] =>
  lists.length === 0
    ? []
    : [
        ...new Set(
          lists.reduce((held, next) =>
            held.flatMap((a) =>
              next.flatMap((b) =>
                isWithin(a, b) ? [a] : isWithin(b, a) ? [b] : [],
              ),
            ),
          ),
        ),
      ].sort();

export const isWithin = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder === "/" ? "/" : `${folder}/`);
