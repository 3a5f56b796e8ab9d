import { expect, test } from "vitest";
import { printJson, quoteJson } from "../../src/format/json.ts";

test("keys keep their order, empty lists and objects stay on their line", () => {
  const value = { b: [1, true, null], a: {}, c: [], d: { e: "x" } };
  expect(printJson(value)).toBe(`{
  "b": [
    1,
    true,
    null
  ],
  "a": {},
  "c": [],
  "d": {
    "e": "x"
  }
}
`);
});

test("nothing invisible is printed, and nothing is lost", () => {
  const text =
    "a b\u00a0\u0000\u001b\u007f\u0085\u00ad\u200b\u200d\u2028\u202e\ufe0f\ufeff\u{e0001}é漢😀\ud800";
  const printed = quoteJson(text);
  expect(JSON.parse(printed)).toBe(text);
  expect(printed).toBe(
    '"a b\\u00a0\\u0000\\u001b\\u007f\\u0085\\u00ad\\u200b\\u200d\\u2028\\u202e\\ufe0f\\ufeff\\udb40\\udc01é漢😀\\ud800"',
  );
});
