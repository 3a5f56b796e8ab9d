import { expect, test } from "vitest";
import { layUnder } from "../../src/format/lay-under.ts";

test("ours wins, objects are joined, a list of ours replaces theirs", () => {
  expect(
    layUnder(
      { a: 1, b: { x: 1, y: 1 }, list: [1, 2], kept: [1] },
      { a: 2, b: { y: 2 }, list: [3] },
    ),
  ).toEqual({ a: 2, b: { x: 1, y: 2 }, list: [3], kept: [1] });
});
