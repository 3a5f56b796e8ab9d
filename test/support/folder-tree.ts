// Folders as plain data: every file's path (POSIX, relative) with its text, so that two of them can be compared.
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";

export type Tree = ReadonlyMap<string, string>;

/** Every regular file below a folder. Links are not followed. */
export function readTree(folder: string): Tree {
  const tree = new Map<string, string>();
  const walk = (below: string) => {
    for (const name of readdirSync(join(folder, below)).sort()) {
      const path = below === "" ? name : `${below}/${name}`;
      const stat = lstatSync(join(folder, path));
      if (stat.isDirectory()) walk(path);
      else if (stat.isFile())
        tree.set(path, readFileSync(join(folder, path), "utf8"));
    }
  };
  if (existsSync(folder)) walk("");
  return tree;
}

/** Makes the files below a folder, which may exist. New folders and files are the owner's alone. */
export function writeTree(folder: string, tree: Tree): void {
  for (const [path, text] of tree) {
    mkdirSync(join(folder, dirname(path)), { recursive: true, mode: 0o700 });
    writeFileSync(join(folder, path), text, { mode: 0o600 });
  }
}

/** Makes a folder hold exactly these files. */
export function replaceTree(folder: string, tree: Tree): void {
  rmSync(folder, { recursive: true, force: true });
  writeTree(folder, tree);
}

/** The paths of files that are new, different or gone in `after`. */
export const touchedBetween = (before: Tree, after: Tree): readonly string[] =>
  [...new Set([...before.keys(), ...after.keys()])].filter(
    (path) => before.get(path) !== after.get(path),
  );
