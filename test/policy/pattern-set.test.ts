// A matcher of its own: its law is agreement with the plain one, which no command line shows.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { globMatches } from "../../src/match/tool-pattern.ts";
import { patternSet } from "../../src/policy/pattern-set.ts";

const setOf = (patterns: readonly string[]) =>
  patternSet(patterns.map((pattern) => ({ pattern, value: pattern })));

const text = (letters: string[]) =>
  fc
    .array(fc.constantFrom(...letters), { maxLength: 8 })
    .map((a) => a.join(""));

test("finds what the plain matcher finds, in the order given", () => {
  fc.assert(
    fc.property(
      fc.array(text(["a", "b", "*", "_", "é", "İ"]), { maxLength: 6 }),
      fc.array(text(["a", "b", "_", "*", "é", "\0"]), { maxLength: 6 }),
      (patterns, names) => {
        const set = setOf(patterns);
        for (const name of names)
          expect(set.find(name)).toBe(
            patterns.find((p) => globMatches(p, name)) ?? null,
          );
      },
    ),
    { numRuns: 2_000 },
  );
});

test("keeps finding after more states were needed than are kept", () => {
  const patterns = ["*a*b*c*d*e*f*", "x*"];
  const set = setOf(patterns);
  const letters = "abcdefx_";
  let seed = 1;
  for (let n = 0; n < 20_000; n++) {
    let name = "";
    for (let i = 0; i < 12; i++) {
      seed = (seed * 48271) % 2147483647;
      name += letters.charAt(seed % letters.length);
    }
    expect(set.find(name)).toBe(
      patterns.find((p) => globMatches(p, name)) ?? null,
    );
  }
});

test("a pattern with many stars takes one walk over the name", () => {
  const set = setOf(["*a*a*a*a*a*a*a*a*b"]);
  expect(set.find(`${"a".repeat(1_000_000)}!`)).toBeNull();
});
