// The quick search for token forms finds what the forms themselves find: a law of two functions no command shows apart.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { findForms, mayHoldForm } from "../../src/match/find-forms.ts";
import { formsIn } from "../../src/match/secret-form.ts";

const SECRETS = [
  "ghp_0123456789abcdefghij",
  "sk-abcdefghijklmnop0123",
  "hf_0123456789abcdefghij",
  "AKIAIOSFODNN7EXAMPLE",
  "SG.0123456789abcdef.0123456789abcdef",
  "pat0123456789abcd.0123456789abcdef",
  "eyJhbGciOiJI.eyJzdWIiOiIx.c2ln",
  "123456789:abcdefghijklmnopqrstuvwxyz012345678",
  "hooks.slack.com/services/T0/B0/0123456789abcdef",
  "tok_0123456789ab",
  "-----BEGIN PRIVATE KEY-----abc-----END PRIVATE KEY-----",
];
const piece = fc.oneof(
  fc.constantFrom(...SECRETS),
  fc.constantFrom(
    " ",
    "\n",
    '"',
    "\\",
    "-",
    "_",
    ".",
    "/",
    ":",
    "=",
    "é",
    "x",
    "7",
    "ghp_",
    "sk-",
    "eyJ",
    ".eyJ",
    "-----",
    "-----BEGIN ",
  ),
  fc.string({ maxLength: 6 }),
);
const texts = fc.array(piece, { maxLength: 8 }).map((parts) => parts.join(""));

test("every place of a form that stands alone is found, and only forms", () => {
  fc.assert(
    fc.property(texts, (text) => {
      const found = findForms(text);
      for (const { start, end } of formsIn(text)) {
        if (/[A-Za-z0-9]/.test(text.charAt(start - 1))) continue;
        expect(
          found.some((r) => r.start <= start && r.end >= end) ||
            found.some((r) => r.start < end && r.end > start),
        ).toBe(true);
      }
      let reached = 0;
      for (const { start, end } of found) {
        expect(start).toBeGreaterThanOrEqual(reached);
        reached = end;
        expect(formsIn(text.slice(start, end)).length).toBeGreaterThan(0);
      }
    }),
    { numRuns: 3_000 },
  );
});

test("a form in a string of JSON is suspected in its source", () => {
  fc.assert(
    fc.property(texts, (text) => {
      const source = JSON.stringify({ a: text });
      if (findForms(text).length > 0 && !/\\u00[2-7]/i.test(source))
        expect(mayHoldForm(source)).toBe(true);
    }),
    { numRuns: 3_000 },
  );
});

test("long baits are searched once", () => {
  for (const bait of [
    "eyJ",
    "-eyJ",
    "ghp_",
    "-----BEGIN ",
    "0123456789:",
    "sk-",
    "tok_a",
    "\\",
  ])
    findForms(bait.repeat(200_000));
});

test("the shortest token is found", () => {
  expect(formsIn("sk_1234567890")).toEqual([{ start: 0, end: 13 }]);
});
