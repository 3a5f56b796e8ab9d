// Files of at most one mebibyte that make a program work in squares. Nothing is timed: what is not bounded does not end
// within the time of a test.
import { expect, test } from "vitest";
import { main } from "../../src/main.ts";
import { testHost } from "../support/test-host.ts";

const HEAD = "version: 1\nmcp:\n";
const SECRET = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
const times = (count: number, make: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => make(i)).join("");
const list = (count: number, make: (i: number) => string): string =>
  `[${Array.from({ length: count }, (_, i) => `"${make(i)}"`).join(", ")}]`;
const rules = (allow: string, deny: string, ask = "[]"): string =>
  `${HEAD}  a: { url: https://a.b/c, tools: { allow: ${allow}, deny: ${deny}, ask: ${ask} } }\n`;

test.each([
  [
    "10 000 names",
    rules(
      list(10_000, (i) => `t${i}`),
      "[]",
    ),
  ],
  [
    "thousands of patterns",
    rules(
      list(10_000, (i) => `t${i}_*`),
      list(5_000, (i) => `*_d${i}`),
    ),
  ],
  [
    "as many patterns as are allowed",
    rules(
      list(500, (i) => `t${i}_*`),
      list(250, (i) => `*_d${i}`),
      list(250, (i) => `*q*_a${i}`),
    ),
  ],
  [
    "patterns of many wildcards",
    rules(
      list(500, (i) => `${"*a".repeat(120)}${i}`),
      list(500, (i) => `${"a".repeat(240)}*${i}`),
    ),
  ],
  [
    "thousands of names to refuse and to ask about",
    rules(
      "[x]",
      list(5_000, (i) => `d${i}`),
      list(5_000, (i) => `a${i}`),
    ),
  ],
  ["directives", "%\n".repeat(500_000)],
  [
    "20 000 servers",
    HEAD + times(20_000, (i) => `  s${i}: { url: "https://h${i}.x/m" }\n`),
  ],
  [
    "1000 servers at one address",
    HEAD + times(1_000, (i) => `  s${i}: { url: "https://h.x/m" }\n`),
  ],
  ["20 000 empty entries", HEAD + times(20_000, (i) => `  a${i}: {}\n`)],
  ["1000 empty entries", HEAD + times(1_000, (i) => `  a${i}: {}\n`)],
  [
    "20 000 secrets in one line",
    `${HEAD}  a: { command: [x${`, ${SECRET}`.repeat(20_000)}] }\n`,
  ],
  [
    "1000 secrets in lines",
    `${HEAD}  a:\n    command:\n${`      - ${SECRET}\n`.repeat(1_000)}`,
  ],
  ["aliases", `version: 1\na: &a 1\nb: [${"*a,".repeat(150_000)}]\n`],
  ["unknown keys", times(40_000, (i) => `k${i}: 1\n`)],
  ["tags", `a: [${"!a 1,".repeat(50_000)}]\n`],
  ["brackets", `a: ${"[".repeat(200_000)}`],
  ["one long word", `${HEAD}  a: { command: "${"-a ".repeat(300_000)}" }\n`],
])(
  "%s",
  async (_what, text) => {
    expect(text.length).toBeLessThanOrEqual(1024 * 1024);
    const { root } = testHost({ project: { "fenzi.yaml": text } });
    for (const argv of [["check"], ["compile", "--dry-run", "--json"]]) {
      const host = testHost({ root });
      expect([0, 1]).toContain(await main(argv, host));
      // What a person is shown stays readable.
      expect(host.err().split("\n").length).toBeLessThan(2_000);
    }
  },
  120_000,
);
