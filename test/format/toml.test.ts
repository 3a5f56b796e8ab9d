// A format of its own: what is printed has to be read back, by us here and by the agents in test/agents.
import { parse } from "@iarna/toml";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { InternalError } from "../../src/diagnostics/diagnostic.ts";
import { printToml } from "../../src/format/toml.ts";
import type { Json } from "../../src/model/model.ts";

const print = (table: Json) => printToml(table, "heading");
/** Numbers beyond what is safe come as big integers. */
const read = (text: string) =>
  JSON.parse(
    JSON.stringify(parse(text), (_, value) =>
      typeof value === "bigint" ? Number(value) : value,
    ),
  );

const text = fc
  .string({ unit: "binary", maxLength: 12 })
  .filter((t) => t.isWellFormed());
const table = fc.object({
  key: text,
  values: [
    text,
    fc.boolean(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer(),
  ],
  maxDepth: 3,
  maxKeys: 4,
}) as fc.Arbitrary<Json>;

describe("TOML", () => {
  test("any table is read back as it was", () => {
    fc.assert(
      fc.property(table, (value) => {
        // -0 has no JSON form of its own.
        expect(read(print(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
      { numRuns: 2000 },
    );
  });

  test("the order of keys does not matter", () => {
    expect(print({ b: { d: 1, c: "x" }, a: [] })).toBe(
      print({ a: [], b: { c: "x", d: 1 } }),
    );
  });

  test("it looks like a person's", () => {
    expect(
      print({
        servers: { web: { url: "https://a.example/", env: { A: "b" } } },
        list: ["x", "y"],
        rules: [{ url: "u" }, { url: "v" }],
      }),
    ).toMatchInlineSnapshot(`
      "# heading

      list = [ "x", "y" ]

      [[rules]]
      url = "u"

      [[rules]]
      url = "v"

      [servers.web]
      url = "https://a.example/"

        [servers.web.env]
        A = "b"
      "
    `);
  });

  test("an empty table is a comment", () => {
    expect(print({})).toBe("# heading\n");
  });

  test.each([
    ["two control characters", "\u0001\u0002\u007f", '"\\u0001\\u0002\\u007f"'],
    ["a quote beside a control character", '"\u0001', '"\\"\\u0001"'],
    ["line ends", 'a"""\r\nb"', '"a\\"\\"\\"\\r\\nb\\""'],
    ["a backslash at the end", "C:\\", '"C:\\\\"'],
    [
      "what cannot be seen",
      "a\u202eb\u{e0001}\u00a0",
      '"a\\u202eb\\U000e0001\\u00a0"',
    ],
    ["what can be seen", "é 日本 😀", '"é 日本 😀"'],
    ["its own marks", "\u{e000}0\u{e001}", '"\u{e000}0\u{e001}"'],
  ])("a string with %s", (_, value, printed) => {
    expect(print({ a: value })).toBe(`# heading\n\na = ${printed}\n`);
  });

  test.each([
    [1e21, "1e+21"],
    [1e-7, "1e-7"],
    [2 ** 60, "1152921504606847000"],
    [2 ** 63, "9.223372036854776e+18"],
    [-Infinity, "-inf"],
    [Number.NaN, "nan"],
    [200000, "200_000"],
    [0.5, "0.5"],
  ])("the number %d", (value, printed) => {
    expect(print({ a: value })).toBe(`# heading\n\na = ${printed}\n`);
  });

  test("keys that need quotes, and lists of different things", () => {
    const value = {
      "": 1,
      "a.b": { 'c"\u0001\u0002': [{ x: 1 }, "y", [{}]] },
      ["__proto__"]: "z",
    };
    expect(parse(print(value))).toEqual(value);
  });

  test("names that every object inherits", () => {
    const value = {
      constructor: { env: { toString: { a: "b" } } },
      servers: { valueOf: { url: "u", env: { hasOwnProperty: "x" } } },
      ["__proto__"]: { a: [{ constructor: { b: 1 } }] },
    };
    expect(parse(print(value))).toEqual(value);
    expect(Object.keys(Object)).toEqual([]);
    expect(Object.keys(Object.prototype.valueOf)).toEqual([]);
  });

  test("null, which TOML does not have, is a bug of ours", () => {
    expect(() => print({ a: null })).toThrow(InternalError);
  });

  test("half of a surrogate pair, which UTF-8 does not have, is a bug of ours", () => {
    expect(() => print({ a: "a\ud800" })).toThrow(InternalError);
    expect(() => print({ "\udc00": 1 })).toThrow(InternalError);
  });
});
