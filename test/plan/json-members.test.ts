// Taking members out of JSON that somebody has laid out anew: what the random files of the laws do not come to.
import { parseTree } from "jsonc-parser";
import { expect, test } from "vitest";
import { insertMembers, removeMembers } from "../../src/plan/json-members.ts";

const without = (text: string, ...paths: string[]): string => {
  const root = parseTree(text, [], { allowTrailingComma: true });
  if (root === undefined) throw new Error("no JSON");
  return removeMembers(
    text,
    root,
    paths.map((path) => ({ at: path.split("."), item: null })),
    [],
  );
};

test.each([
  ['{"a": 1, "k": 2}', '{"a": 1}'],
  ['{"k": 2, "a": 1}', '{ "a": 1}'],
  ['{"k": 2}', "{}"],
  ['{"a": 1, "k": 2,}', '{"a": 1,}'],
  ['{"a": 1, /* of k */ "k": 2}', '{"a": 1 /* of k */}'],
  ['{"a": 1, "k": 2 /* behind */, "b": 3}', '{"a": 1, /* behind */ "b": 3}'],
  ['{ // note\n "k": 2 }', "{ // note\n }"],
  ['{"a": 1 // one\n, "k": 2 }', '{"a": 1 // one\n }'],
  ['{"a": "//", "k": 2 }', '{"a": "//" }'],
  ['{\n  "a": 1, // one\n  "k": 2\n}\n', '{\n  "a": 1 // one\n}\n'],
])("%j without `k` is %j", (text, expected) => {
  const rest = without(text, "k");
  expect(rest.replace(/\s/g, "")).toBe(expected.replace(/\s/g, ""));
  const errors: never[] = [];
  parseTree(rest, errors, { allowTrailingComma: true });
  expect(errors).toEqual([]);
  // A comment that ends with its line still does.
  for (const comment of rest.matchAll(/\/\/ .*/g))
    expect(comment[0]).not.toContain("}");
});

test("a key that stands twice, or holds another kind of value, is in the way", () => {
  const blocked = (text: string) =>
    insertMembers(
      text,
      parseTree(text) ?? null,
      new Map([
        [
          "m",
          {
            kind: "members" as const,
            members: new Map([["k", { kind: "value" as const, value: 1 }]]),
          },
        ],
      ]),
    ).blocked.map((b) => [b.path.join("."), b.why]);
  expect(blocked('{"m": {}, "m": {}}')).toEqual([["m", "twice"]]);
  expect(blocked('{"m": "all"}')).toEqual([["m", "other-type"]]);
  expect(blocked('{"m": {"k": 1}}')).toEqual([["m.k", "there"]]);
});
