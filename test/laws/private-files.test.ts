// The promise about private files: whatever spelling leads to one, by links, percent signs, case, `..` or as a part of a
// longer text, no call that holds it is allowed; and what a local server may name lies in its folder.
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { judgeIn } from "../support/judge-arguments.ts";

const RUNS = Number(process.env["LAW_RUNS"] ?? 2_000);

const { rule, host } = judgeIn({
  project: {
    "fenzi.yaml":
      "version: 1\nmcp:\n  files: { command: [npx, x], tools: { reads: [read] } }\nprivate: [vault/**]\n",
    ".env": "",
    "vault/x.txt": "",
    "src/deep/a.ts": "",
    "src/key.pem": "",
  },
});
const { cwd, root } = host;
mkdirSync(join(root, "home/.ssh"), { recursive: true });
writeFileSync(join(root, "home/.ssh/id_rsa"), "");
writeFileSync(join(root, "outside"), "");
symlinkSync("..", join(cwd, "src/up"));
symlinkSync(cwd, join(cwd, "src/deep/home"));
symlinkSync("vault", join(cwd, "innocent"));
symlinkSync(".env", join(cwd, "settings"));
symlinkSync(join(root, "home"), join(cwd, "me"));

/** Ways to each, all of which exist. */
const PRIVATE = [
  ".env",
  "vault/x.txt",
  "innocent/x.txt",
  "settings",
  "src/key.pem",
  "me/.ssh/id_rsa",
  "src/up/.env",
  "src/deep/home/innocent/x.txt",
  `${cwd}/.env`,
  `${root}/home/.ssh/id_rsa`,
];
const OUTSIDE = [
  "../outside",
  "me",
  "me/new",
  `${root}/outside`,
  "/etc/passwd",
];

const percent = (c: string): string =>
  c < "\x80"
    ? `%${c.charCodeAt(0).toString(16).padStart(2, "0")}`
    : encodeURIComponent(c);
/** Its own name is private, on every disk: not only where a link leads. */
const byName =
  (change: (path: string) => string): Spell =>
  (path) =>
    /^(?:\.env|vault\/x\.txt|src\/key\.pem)$/.test(path) ? change(path) : path;

type Spell = (path: string, seed: number) => string;

/** Each leads to the same file for some program. */
const SPELLINGS: Readonly<Record<string, Spell>> = {
  same: (p) => p,
  dots: (p) => p.replace(/\//g, "/./"),
  slashes: (p) => p.replace(/(?<=[^/])\/(?=[^/])/g, "//"),
  detour: (p) => (p.startsWith("/") ? p : `src/deep/../../${p}`),
  through: (p) => (p.startsWith("/") ? p : `src/up/${p}`),
  current: (p) => (p.startsWith("/") ? p : `./${p}`),
  backslashes: (p) => (p.startsWith("/") ? p : p.replaceAll("/", "\\")),
  wide: (p) => p.replaceAll("/", "\uff0f").replaceAll(".", "\uff0e"),
  percent: (p, seed) =>
    [...p]
      .map((c, i) => (((seed >> (i % 30)) & 1) === 1 ? percent(c) : c))
      .join(""),
  twice: (p) => encodeURIComponent(encodeURIComponent(p)),
  blanks: (p) => `  ${p}\n`,
  quotes: (p) => `"${p}"`,
};
/** For private files only: by name, and as a part of a text. */
const LOOSE: Readonly<Record<string, Spell>> = {
  upper: byName((p) => p.toUpperCase()),
  dot: byName((p) => `${p}.`),
  stream: byName((p) => `${p}::$DATA`),
  option: (p) => `--file=${p}`,
  sentence: (p) => `please read ${p}, and tell me`,
  list: (p) => `a.txt;${p}|b`,
  uri: (p) => `file://${p.startsWith("/") ? p : `${cwd}/${p}`}`,
};

/** As they are listed above: what stands around a path, and how it is coded, comes after what it is. */
const inOrder = (names: readonly string[]): readonly string[] =>
  Object.keys(SPELLINGS).filter((name) => names.includes(name));

const spelled = (
  paths: readonly string[],
  ways: Readonly<Record<string, Spell>>,
) =>
  fc
    .record({
      path: fc.constantFrom(...paths),
      ways: fc.array(fc.constantFrom(...Object.keys(ways)), {
        minLength: 1,
        maxLength: 2,
      }),
      seed: fc.nat(),
    })
    .map(({ path, ways: names, seed }) => ({
      names,
      text: inOrder(names).reduce(
        (text, name) => ways[name]?.(text, seed) ?? text,
        path,
      ),
    }));

const shapes = (text: string): readonly Readonly<Record<string, unknown>>[] => [
  { path: text },
  { deep: [{ list: ["x", text] }] },
  // A plain word at the top is the name of a parameter.
  { files: { [text]: "" } },
];

test("no spelling of a private file passes", () => {
  fc.assert(
    fc.property(
      // A second way is laid over a first one that some program undoes: the loose ways come last.
      spelled(PRIVATE, SPELLINGS).chain((first) =>
        fc
          .option(fc.constantFrom(...Object.keys(LOOSE)), { nil: null })
          .map((last) =>
            last === null ? first.text : (LOOSE[last]?.(first.text, 0) ?? ""),
          ),
      ),
      fc.nat({ max: 2 }),
      (text, shape) => {
        // Blanks and quotes of a first way end where a second one goes on.
        expect(rule("read", shapes(text)[shape] ?? {}), text).not.toBe("allow");
      },
    ),
    { numRuns: RUNS },
  );
});

test("no spelling of a file outside its folder passes for a local server", () => {
  fc.assert(
    fc.property(
      spelled(OUTSIDE, SPELLINGS),
      fc.nat({ max: 2 }),
      ({ text }, shape) => {
        expect(rule("read", shapes(text)[shape] ?? {}), text).not.toBe("allow");
      },
    ),
    { numRuns: RUNS },
  );
});

test("what is named inside is allowed, however it is spelled", () => {
  expect(realpathSync(cwd)).toBe(cwd);
  // A slash that only some take for one may lead out for the others.
  const { percent: _, ...plain } = SPELLINGS;
  fc.assert(
    fc.property(
      spelled(["src/deep/a.ts", "src", "new/x"], plain),
      ({ text }) => {
        expect(rule("read", { text }), text).toBe("allow");
      },
    ),
    { numRuns: Math.ceil(RUNS / 4) },
  );
});
