// The rules of ARCHITECTURE.md, read from there: what may import what, what is pure, what folders are called.
import { readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { importTable, type Row } from "./support/import-table.ts";
import { filesBelow, ROOT, sourceFiles } from "./support/source-imports.ts";

const MOST_LINES = 400;
/** Files that may be longer, with the reason. An entry that is no longer needed fails. */
const LONGER: Readonly<Record<string, string>> = {
  "test/adversarial/bug-reports.test.ts":
    "a list of cases, one after the other",
  "test/adversarial/config-cases.ts": "a list of cases, read from end to end",
};

const BANNED = new Set(
  "utils util helpers helper common core lib libs shared misc types constants".split(
    " ",
  ),
);

/** The pipeline in order. A stage may look back, not ahead. */
const STAGES = [
  "src/read",
  "src/source",
  "src/validate",
  "src/merge",
  "src/deliver",
  "src/emit",
  "src/plan",
];

/** What a door gets a model from, and never sees itself. */
const BEFORE_A_DOOR = [...STAGES, "emitters", "src/import", "src/compile.ts"];

/** Where a secret's text may be taken out. */
const REVEALING = [
  "src/vault/",
  "src/commands/choose-tools.ts",
  "src/upstream/credentials.ts",
];

/** Where output may be written: what is shown, the process itself, and the command line's own words. */
const PRINTING = ["src/views/", "src/host/", "src/main.ts", "src/ending.ts"];

const table = importTable(readFileSync(join(ROOT, "ARCHITECTURE.md"), "utf8"));
const files = sourceFiles("src", "emitters", "schemas");
const rowOf = (path: string): Row | undefined =>
  table.find((row) => path === row.folder || path.startsWith(`${row.folder}/`));

/** Folder → folder, with the files that say so; types apart from values. */
interface Edge {
  readonly from: string;
  readonly to: string;
  readonly typesOnly: boolean;
  readonly where: string;
}
const edges: readonly Edge[] = files.flatMap((file) =>
  file.imports.flatMap(({ to, own, typesOnly }) => {
    const [a, b] = [rowOf(file.path)?.folder, rowOf(to)?.folder];
    return !own || a === undefined || b === undefined || a === b
      ? []
      : [{ from: a, to: b, typesOnly, where: `${file.path} → ${to}` }];
  }),
);
/** Without comments and texts. */
const code = (text: string): string =>
  text
    .replace(/^\s*(?:\/\/|\/?\*).*$/gm, "")
    .replace(/"(?:[^"\\\n]|\\.)*"/g, '""');

describe("the import table", () => {
  test("has a row for every file", () => {
    expect(
      files.filter((f) => rowOf(f.path) === undefined).map((f) => f.path),
    ).toEqual([]);
  });

  test("has no row without a file", () => {
    expect(
      table
        .filter((row) => !files.some((f) => rowOf(f.path) === row))
        .map((row) => row.folder),
    ).toEqual([]);
  });

  test("permits every import", () => {
    const forbidden = edges.filter(({ from, to, typesOnly }) => {
      const permission = table
        .find((row) => row.folder === from)
        ?.may.find((m) => m.folder === to);
      return permission === undefined || (permission.typesOnly && !typesOnly);
    });
    expect(forbidden.map((edge) => edge.where)).toEqual([]);
  });

  test("permits nothing that nobody needs", () => {
    const unused = table.flatMap(({ folder, may }) =>
      may.flatMap((m) => {
        const used = edges.filter(
          (e) => e.from === folder && e.to === m.folder,
        );
        if (used.length === 0) return [`${folder}: drop \`${m.folder}\``];
        return !m.typesOnly && used.every((e) => e.typesOnly)
          ? [`${folder}: \`${m.folder}\` (types) is enough`]
          : [];
      }),
    );
    expect(unused).toEqual([]);
  });

  test("lists folders once, each before it is named", () => {
    const folders = table.map((row) => row.folder);
    expect(folders).toEqual([...new Set(folders)]);
    expect(
      table
        .flatMap((row) => row.may.map((m) => m.folder))
        .filter((folder) => !folders.includes(folder)),
    ).toEqual([]);
  });
});

describe("what holds", () => {
  const pure = table.filter((row) => row.pure).map((row) => row.folder);

  test("a pure folder reaches no other kind, at any depth", () => {
    const reach = (folder: string, path: readonly string[]): string[] =>
      path.includes(folder)
        ? []
        : edges
            .filter((e) => e.from === folder && !e.typesOnly)
            .flatMap((e) =>
              pure.includes(e.to)
                ? reach(e.to, [...path, folder])
                : [[...path, folder, e.to].join(" → ")],
            );
    expect([...new Set(pure.flatMap((f) => reach(f, [])))]).toEqual([]);
  });

  test("a pure folder uses no Node module, process, clock, randomness or console", () => {
    const impure = files
      .filter((f) => pure.includes(rowOf(f.path)?.folder ?? ""))
      .flatMap((f) => [
        ...f.imports
          .filter((i) => isBuiltin(i.to))
          .map((i) => `${f.path}: ${i.to}`),
        ...[
          ...code(f.text).matchAll(
            /\b(?:process\.|new Date\b|Date\.|Math\.random|console\.|performance\.|fetch\()/g,
          ),
        ].map((m) => `${f.path}: ${m[0]}`),
      ]);
    expect(impure).toEqual([]);
  });

  test("no stage reads a later stage", () => {
    const ahead = edges.filter(
      ({ from, to }) =>
        STAGES.includes(from) && STAGES.indexOf(to) > STAGES.indexOf(from),
    );
    expect(ahead.map((e) => e.where)).toEqual([]);
  });

  test("a door reaches no reader of files and no emitter, at any depth", () => {
    const reached = new Set(["src/gateway", "src/guard"]);
    for (const folder of reached)
      for (const e of edges) if (e.from === folder) reached.add(e.to);
    expect(BEFORE_A_DOOR.filter((folder) => reached.has(folder))).toEqual([]);
  });

  test("doors and their log decide nothing: that is for `src/enforce`", () => {
    const deciding = files
      .filter((f) => /^src\/(?:gateway|guard|audit)\//.test(f.path))
      .filter(
        (f) =>
          f.imports.some(({ to }) => to === "src/match/tool-pattern.ts") ||
          /\bdecide\b/.test(code(f.text)),
      );
    expect(deciding.map((f) => f.path)).toEqual([]);
  });

  test("only the programs import commands", () => {
    expect(
      [
        ...new Set(
          edges.filter((e) => e.to === "src/commands").map((e) => e.from),
        ),
      ].sort(),
    ).toEqual(["src/ending.ts", "src/guard-cli.ts", "src/main.ts"]);
  });

  test("emitters do not import each other", () => {
    const folder = (path: string) => /^emitters\/([^/]+)\//.exec(path)?.[1];
    const across = files.flatMap((f) =>
      f.imports
        .filter(
          (i) =>
            folder(f.path) !== undefined &&
            i.to.startsWith("emitters/") &&
            folder(i.to) !== folder(f.path),
        )
        .map((i) => `${f.path} → ${i.to}`),
    );
    expect(across).toEqual([]);
  });

  const outside = (places: readonly string[], what: RegExp) =>
    files
      .filter((f) => !places.some((place) => f.path.startsWith(place)))
      .filter((f) => what.test(code(f.text)))
      .map((f) => f.path);

  test("a secret is revealed in few places", () => {
    expect(outside(REVEALING, /\.reveal\(/)).toEqual([]);
  });

  test("only views print", () => {
    expect(outside(PRINTING, /\bstd(?:out|err)\.write\(|\bconsole\./)).toEqual(
      [],
    );
  });

  test("only the program's own files set the exit code", () => {
    const programs = [
      "src/cli.ts",
      "src/guard-cli.ts",
      "src/vault/vault-read.ts",
    ];
    expect(outside(programs, /\bprocess\.exit/)).toEqual([]);
  });

  test("no list is spread into a call that takes each item: a long one has no room on the stack", () => {
    expect(
      outside([], /\.(?:push|unshift|max|min)\((?:\s*\w+,)?\s*\.\.\./),
    ).toEqual([]);
  });

  test("nothing is exported that no other file names", () => {
    const texts = filesBelow("src", "emitters", "schemas", "scripts", "test")
      .filter((path) => path !== "src/index.ts")
      .map((path) => ({
        path,
        words: new Set(
          code(readFileSync(join(ROOT, path), "utf8")).match(/\w+/g),
        ),
      }));
    const index = readFileSync(join(ROOT, "src/index.ts"), "utf8");
    const published = new Set(
      [...index.matchAll(/\bexport type \* from "\.\/([^"]+)"/g)].map(
        ([, path]) => `src/${path}`,
      ),
    );
    const unused = files
      .filter(({ path }) => path !== "src/index.ts" && !published.has(path))
      .flatMap(({ path, text }) =>
        [
          ...code(text).matchAll(
            /^export (?:async )?(?:function\*?|const|type|interface|class) (\w+)/gm,
          ),
        ]
          .map(([, name = ""]) => name)
          .filter((name) => !new RegExp(`\\b${name}\\b`).test(index))
          .filter(
            (name) => !texts.some((t) => t.path !== path && t.words.has(name)),
          )
          .map((name) => `${path}: ${name}`),
      );
    expect(unused).toEqual([]);
  });

  test("nothing is exported as default", () => {
    expect(outside([], /^export default\b/m)).toEqual([]);
  });

  test("zod is imported as a namespace: otherwise its fifty languages come along", () => {
    expect(
      files
        .filter((f) => /^import \{[^}]*\} from "zod"/m.test(f.text))
        .map((f) => f.path),
    ).toEqual([]);
  });
});

describe("the house", () => {
  const all = filesBelow("src", "emitters", "schemas", "scripts", "test");

  test("no folder or file has a name that accepts everything", () => {
    const banned = all.filter((path) =>
      path
        .replace(/\.[^/]*$/, "")
        .split("/")
        .some((part) => BANNED.has(part)),
    );
    expect(banned).toEqual([]);
  });

  test(`files have at most ${MOST_LINES} lines`, () => {
    const long = all.filter(
      (path) =>
        readFileSync(join(ROOT, path), "utf8").split("\n").length - 1 >
        MOST_LINES,
    );
    expect(long).toEqual(Object.keys(LONGER));
  });

  test("every source file opens with what it owns", () => {
    expect(
      files
        .filter((f) => !/^(?:#!.*\n)?(?:\/\/|\/\*\*)/.test(f.text))
        .map((f) => f.path),
    ).toEqual([]);
  });
});
