// The imports between the project's own source files, as written: by a scan of the text, which the formatter keeps regular.
import { readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import glob from "fast-glob";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

export interface SourceFile {
  /** Relative to the root, POSIX. */
  readonly path: string;
  readonly text: string;
  readonly imports: readonly SourceImport[];
}

export interface SourceImport {
  /** A path relative to the root for files of ours, otherwise the name of a package. */
  readonly to: string;
  readonly own: boolean;
  /** Nothing of it is left when the types are gone. */
  readonly typesOnly: boolean;
}

/** Code below these folders: TypeScript and modules, relative to the root. */
export const filesBelow = (...folders: readonly string[]): readonly string[] =>
  glob
    .sync(
      folders.map((folder) => `${folder}/**/*.{ts,mjs}`),
      { cwd: ROOT, ignore: ["**/node_modules/**"] },
    )
    .sort();

/** Every TypeScript file below these folders, with its imports. */
export const sourceFiles = (
  ...folders: readonly string[]
): readonly SourceFile[] =>
  filesBelow(...folders)
    .filter((path) => path.endsWith(".ts"))
    .map((path) => {
      const text = readFileSync(join(ROOT, path), "utf8");
      return { path, text, imports: importsOf(path, text) };
    });

const STATIC =
  /^(?:import|export)\s+(type\s+)?([^;"']*?\s*from\s*)?"([^"\n]+)";/gms;
const DYNAMIC = /(typeof\s+)?\bimport\(\s*"([^"\n]+)"\s*,?\s*\)/g;

function importsOf(path: string, text: string): readonly SourceImport[] {
  const found = (specifier: string, typesOnly: boolean): SourceImport => {
    const own = specifier.startsWith(".");
    return {
      to: own ? posix.join(dirname(path), specifier) : specifier,
      own,
      typesOnly,
    };
  };
  const fixed = [...text.matchAll(STATIC)].map(([, type, clause, specifier]) =>
    found(specifier ?? "", type !== undefined || onlyTypes(clause ?? "")),
  );
  const late = [...text.matchAll(DYNAMIC)].map(([, type, specifier]) =>
    found(specifier ?? "", type !== undefined),
  );
  return [...fixed, ...late];
}

/** `{ type A, type B } from`: every name says so. */
function onlyTypes(clause: string): boolean {
  const names = /^\{([^}]*)\}\s*from\s*$/s.exec(clause.trim())?.[1];
  return (
    names !== undefined &&
    names
      .split(",")
      .map((name) => name.trim())
      .filter((name) => name !== "")
      .every((name) => name.startsWith("type "))
  );
}
