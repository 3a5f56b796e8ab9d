// Secrets in arguments: known forms and expressions, and that no text makes looking for them slow.
import { expect, test } from "vitest";
import { parseExpression } from "../../src/match/expression.ts";
import { findForms } from "../../src/match/find-forms.ts";
import { judgeIn } from "../support/judge-arguments.ts";

const KEY = `ghp_${"0123456789abcdefghijklmnopqrstuvwxyz".slice(0, 36)}`;
const { rule, judge } = judgeIn({
  project: {
    "fenzi.yaml": `version: 1
mcp:
  web: { url: "https://web.example/mcp", tools: all }
secrets: { refuse: ["ACME-[0-9]{4}", "(?i)internal only"] }
`,
  },
});

test("a key is refused wherever it stands", () => {
  expect(rule("x", { text: `my key is ${KEY}.` })).toBe("secrets");
  expect(rule("x", { deep: [[{ a: KEY }]] })).toBe("secrets");
  expect(rule("x", { [KEY]: 1 })).toBe("secrets");
  expect(rule("x", { text: "my key is gone" })).toBe("allow");
});

test("what a person's expressions find is refused, with their place", () => {
  expect(rule("x", { text: "see ACME-1234" })).toBe("secrets.refuse");
  expect(rule("x", { text: "INTERNAL ONLY" })).toBe("secrets.refuse");
  expect(rule("x", { text: "ACME-12" })).toBe("allow");
  const [reason] = judge("x", { text: "see ACME-1234" }).reasons;
  expect(reason.message).not.toContain("1234");
  expect(reason.origin.at.start.line).toBe(4);
});

test("a key in the name of an argument does not come back in the reason", () => {
  const [reason] = judge("x", { [KEY]: KEY }).reasons;
  expect(reason.rule).toBe("secrets");
});

test.each(["(a+)+$", "(a|aa)+b", "([a-z]+)*x", "^(.*a){12}$", "ACME-[0-9]{4}"])(
  "%s takes no longer for a text that was made for it",
  (text) => {
    const parsed = parseExpression(text);
    if ("problem" in parsed) throw new Error(parsed.problem);
    const before = performance.now();
    parsed.value.test(`${"a".repeat(50_000)}!`);
    parsed.value.find(`${"a".repeat(50_000)}!`);
    expect(performance.now() - before).toBeLessThan(10_000);
  },
);

test.each([
  ["(?=x)", "no such syntax"],
  ["(a)\\1", "escape"],
  ["(", "closing"],
  ["a*", "empty text"],
  ["", "empty text"],
])("%j is no expression", (text, words) => {
  const parsed = parseExpression(text);
  expect("problem" in parsed && parsed.problem).toContain(words);
});

test("a very long expression is none", () => {
  expect(parseExpression("x".repeat(1_001))).toHaveProperty("problem");
});

const SIZE = 10 * 1024 * 1024;
const fill = (bait: string): string =>
  bait.repeat(Math.ceil(SIZE / bait.length)).slice(0, SIZE);

/** The start of each form again and again, never a whole one. */
test.each([
  "ghp_",
  "ghp_0123456789abcde ",
  "eyJ",
  "eyJaaaaaaaa.",
  "eyJaaaaaaaa.eyJ",
  "sk-",
  "AKIA",
  "AKIA0123456789ABCD ",
  "SG.aaaaaaaaaaaaaaaa.",
  "pat0123456789abcd.",
  "123456789:",
  "hooks.slack.com/services/",
  "discord.com/api/webhooks/",
  "tok_",
  "key_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
  "-----BEGIN PRIVATE KEY-----",
  "-----BEGIN ",
  "-----BEGIN A PRIVATE KEY-----aaaa",
  "a",
  "a-",
  "_",
])("ten mebibytes of %j are looked through in linear time", (bait) => {
  const text = fill(bait);
  const half = text.slice(0, SIZE / 4);
  const time = (what: string): number => {
    const before = performance.now();
    findForms(what);
    return performance.now() - before;
  };
  time(half.slice(0, 100_000));
  const [quarter, whole] = [time(half), time(text)];
  expect(whole).toBeLessThan(20 * quarter + 2_000);
});
