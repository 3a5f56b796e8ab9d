// Unit tests, not golden cases: each is one sentence of the YAML that we read, and there are many.
import { describe, expect, test } from "vitest";
import { hasErrors } from "../../src/diagnostics/diagnostic.ts";
import { parseYaml } from "../../src/source/parse-yaml.ts";

const codes = (text: string) =>
  parseYaml("f.yaml", text).diagnostics.map((d) => d.code);
const value = (text: string) =>
  JSON.parse(
    JSON.stringify(parseYaml("f.yaml", text).value?.value ?? null),
  ) as unknown;

describe("what is read", () => {
  test.each([
    ["an empty file", "", {}],
    ["only comments", "# nothing\n\n# here\n", {}],
    ["a byte order mark", "\uFEFFa: x\n", { a: "x" }],
    ["CRLF", "a: x\r\nb: [y]\r\n", { a: "x", b: ["y"] }],
    [
      "words of YAML 1.1 stay text",
      "a: [no, on, yes, y, 12:30, 0o7x]\n",
      { a: ["no", "on", "yes", "y", "12:30", "0o7x"] },
    ],
    ["JSON", '{"a": {"b": ["c"]}}', { a: { b: ["c"] } }],
    ["an alias", "a: &x [1]\nb: *x\n", { a: [1], b: [1] }],
    ["a document start", "---\na: x\n", { a: "x" }],
    ["a document end", "a: x\n...\n", { a: "x" }],
    ["a percent sign in a value", "a: |\n  %YAML 1.1\n", { a: "%YAML 1.1\n" }],
  ])("%s", (_why, text, wanted) => {
    expect(codes(text)).toEqual([]);
    expect(value(text)).toEqual(wanted);
  });
});

/** What does not parse has no value; after anything else the rest of the file is still looked at. */
const UNREAD = [
  "source/directive",
  "source/not-yaml",
  "source/several-documents",
];

describe("what is refused", () => {
  test.each([
    ["tabs as indentation", "a:\n\tb: c\n", "source/not-yaml"],
    ["an open bracket", "a: [1\n", "source/not-yaml"],
    ["an open quote", 'a: "x\n', "source/not-yaml"],
    ["a directive", "%YAML 1.1\n---\na: x\n", "source/directive"],
    [
      "a directive behind comments",
      "# c\n%TAG ! x\n---\na: x\n",
      "source/directive",
    ],
    ["two documents", "a: x\n---\nb: y\n", "source/several-documents"],
    ["an empty second document", "a: x\n---\n", "source/several-documents"],
    ["a standard tag", "a: !!str x\n", "source/tag"],
    ["the tag of no meaning", "a: ! x\n", "source/tag"],
    ["a tag of one's own", "a: !x y\n", "source/tag"],
    ["a tag on a key", "!!str a: x\n", "source/tag"],
    ["a tag on the file", "!!map\na: x\n", "source/tag"],
    ["a number as key", "1: x\n", "source/key-not-text"],
    ["true as key", "true: x\n", "source/key-not-text"],
    ["null as key", "~: x\n", "source/key-not-text"],
    ["nothing as key", ": x\n", "source/key-not-text"],
    ["a list as key", "[a]: x\n", "source/key-not-text"],
    ["an alias as key", "a: &k x\n*k : y\n", "source/key-not-text"],
    ["a key twice", "a: 1\na: 2\n", "source/duplicate-key"],
    ["a key twice in flow", "{a: 1, a: 2}", "source/duplicate-key"],
    ["a merge key", "b: &b {x: 1}\na: {<<: *b}\n", "source/reserved-key"],
    ["__proto__", "__proto__: {a: 1}\n", "source/reserved-key"],
    ["a null value", "a: null\n", "source/null"],
    ["a tilde", "a: ~\n", "source/null"],
    ["an absent value", "a:\n", "source/null"],
    ["a flow key without a value", "{a}", "source/null"],
    ["null in a list", "a: [x, null]\n", "source/null"],
    ["an alias without anchor", "a: *x\n", "source/alias"],
    ["an alias before its anchor", "a: *x\nb: &x 1\n", "source/alias"],
    ["a circle", "a: &a [*a]\n", "source/alias"],
    [
      "101 aliases",
      `a: &a 1\nb: [${Array.from({ length: 101 }, () => "*a").join(", ")}]\n`,
      "source/alias",
    ],
    [
      "aliases of aliases",
      "a: &a [1,1,1,1,1]\nb: &b [*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c]\n",
      "source/alias",
    ],
    ["NUL", 'a: "\\0"\n', "source/not-text"],
    ["half of a pair", 'a: "\\ud800"\n', "source/not-text"],
  ])("%s", (_why, text, code) => {
    const result = parseYaml("f.yaml", text);
    expect(result.diagnostics.map((d) => d.code)).toContain(code);
    expect(hasErrors(result.diagnostics)).toBe(true);
    if (UNREAD.includes(code)) expect(result.value).toBe(null);
    for (const d of result.diagnostics) expect(d.at?.file).toBe("f.yaml");
  });

  test("the place is that of the second key", () => {
    const [d] = parseYaml(
      "f.yaml",
      "x: 1\r\nab: 1\r\n\u00e9\u00e9: 2\r\nab: 3\r\n",
    ).diagnostics;
    expect(d?.at?.start).toMatchObject({ line: 4, column: 1 });
  });

  test("a scalar in place of the file's mapping is left to the shape", () => {
    expect(value("just text")).toBe("just text");
  });
});
