// `check/more`: what is left out is counted, and an error is never left out for a warning.
import { expect, test } from "vitest";
import { report } from "../../src/diagnostics/catalog.ts";
import { atMost } from "../../src/views/at-most.ts";

const at = (line: number) => {
  const place = { line, column: 1, offset: line };
  return { at: { file: "f", start: place, end: place } };
};
const warnings = Array.from({ length: 10 }, (_, i) =>
  report("server/no-tools", { name: `w${i}` }, at(i + 1)),
);
const error = report("server/name", { name: "e", reason: "is odd" }, at(99));

test("nothing is left out while there is room", () => {
  expect(atMost([...warnings, error], 11)).toEqual([...warnings, error]);
});

test("errors stay, in their order, and the last line counts the rest", () => {
  const shown = atMost([...warnings, error], 4);
  expect(shown.slice(0, 4)).toEqual([...warnings.slice(0, 3), error]);
  expect(shown[4]?.code).toBe("check/more");
  expect(shown[4]?.message).toBe("there are 7 more");
});
