// Law: a secret that stands anywhere in a file is in no output, whatever else is wrong with the file.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { main } from "../../src/main.ts";
import { testHost } from "../support/test-host.ts";

const LETTERS = [
  ..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
];
const secret = fc
  .tuple(
    fc.constantFrom("ghp_", "sk-proj-", "glpat-", "xoxb-", "npm_", "hf_"),
    fc.array(fc.constantFrom(...LETTERS), { minLength: 24, maxLength: 60 }),
  )
  .map(([start, rest]) => start + rest.join(""));

const FILE = `version: 1
mcp:
  remote:
    url: https://example.com/mcp
    headers: { X-One: a, X-Two: "\${B}" }
    tools: { allow: [read, "list_*"], ask: [write], deny: [delete] }
  local:
    command: [npx, "-y", server, --flag]
    cwd: /srv/here
    env: { ONE: a, TWO: "\${B}" }
airGap: false
`;
const MACHINE = `version: 1
mcp:
  other: { command: [npx, other] }
agents:
  codex: { config: { model: a, list: [b, { c: d }] } }
`;

/** A secret in the place of a stretch of the text, alone or with something around it. */
const planted = (text: string) =>
  fc
    .tuple(
      secret,
      fc.nat(text.length - 1),
      fc.constantFrom(0, 0, 1, 4, 12),
      fc.constantFrom(
        ["", ""],
        [" ", ": x, "],
        ["--token ", ""],
        ["${A:-", "}"],
        ["!", " "],
        ["*", " "],
        ["&", " "],
        ["%", "\n"],
        ['"', '"'],
        ["\n", "\n"],
        ["https://u:", "@h/"],
        ["?token=", ""],
      ),
    )
    .map(([found, at, length, [before = "", after = ""]]) => {
      const start = text.slice(0, at) + before;
      // Behind a letter it would be another word.
      const apart = /[A-Za-z0-9]$/.test(start) ? " " : "";
      return {
        found,
        text: `${start}${apart}${found}${after}${text.slice(at + length)}`,
      };
    });

const COMMANDS = [
  ["check"],
  ["check", "--json"],
  ["mcp", "list"],
  ["mcp", "list", "--json"],
  ["explain", "local", "read"],
  ["explain", "local", "read", "--json"],
  ["trust"],
  ["compile", "--dry-run"],
  ["compile", "--dry-run", "--json"],
];

async function shown(project: string, machine: string): Promise<string> {
  const options = { project: { "fenzi.yaml": project }, machine };
  const { root } = testHost(options);
  let all = "";
  for (const argv of COMMANDS) {
    const host = testHost({ root });
    const exit = await main(argv, host);
    expect([argv, exit, host.err()]).not.toEqual([argv, 3, host.err()]);
    all += host.out() + host.err();
  }
  return all;
}

test.each([
  ["a project's file", planted(FILE).map((p) => ({ ...p, machine: MACHINE }))],
  [
    "the machine file",
    planted(MACHINE).map((p) => ({
      found: p.found,
      text: FILE,
      machine: p.text,
    })),
  ],
])(
  "%s",
  async (_where, cases) => {
    await fc.assert(
      fc.asyncProperty(cases, async ({ found, text, machine }) => {
        const output = await shown(text, machine);
        // Comments are nobody's value, and are shown nowhere else.
        expect(output).not.toContain(found.slice(0, 20));
      }),
      { numRuns: 60 },
    );
  },
  300_000,
);
