// Unit test of the spellings: what a file may say is in golden/, this is what each spelling comes to.
import { expect, test } from "vitest";
import { parseQuantity, printQuantity } from "../../src/match/quantity.ts";

test.each([
  ["30s", "time", 30_000],
  ["500ms", "time", 500],
  ["2min", "time", 120_000],
  ["8MiB", "size", 8_388_608],
  ["1KiB", "size", 1_024],
  ["10B", "size", 10],
] as const)("%s is a %s", (text, kind, value) => {
  expect(parseQuantity(text, kind)).toBe(value);
  expect(printQuantity(value, kind)).toBe(text);
});

test.each([
  ["30", "time"],
  ["30 s", "time"],
  ["1.5s", "time"],
  ["-1s", "time"],
  ["30S", "time"],
  ["30s", "size"],
  ["8MB", "size"],
  ["8mib", "size"],
  ["", "size"],
  ["9999999999999s", "time"],
] as const)("%j is no %s", (text, kind) => {
  expect(parseQuantity(text, kind)).toBeNull();
});
