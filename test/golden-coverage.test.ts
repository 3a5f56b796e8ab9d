// What the golden cases must show: every code, every row of the merge table for each pair of layers, every agent with all
// that a person can write about a server, every document. What is missing is listed. No case claims anything: what it
// shows is read from its files.
import { expect, test } from "vitest";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { emitters } from "../emitters/index.ts";
import { catalog } from "../src/diagnostics/catalog.ts";
import { AGENT_FEATURES, factsOf } from "./support/case-facts.ts";
import { caseNames, readCase } from "./support/golden-case.ts";
import { published } from "./support/published-schemas.ts";

const shown = new Set(
  caseNames().flatMap((name) => [...factsOf(readCase(name))]),
);
const missing = (facts: readonly string[]): readonly string[] =>
  facts.filter((fact) => !shown.has(fact));

/** Codes that no run of a case can reach, and the test that shows each instead. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  // Somebody else must write the file at the right moment.
  "write/changed-meanwhile": "commands/edit-file.test.ts",
  // A file that can be written must not be writable a moment later.
  "apply/half-written": "plan/write-shared.test.ts",
  // A gateway that starts does not end by itself.
  "gateway/no-token": "commands/gateway.test.ts",
  "gateway/cannot-listen": "commands/gateway.test.ts",
  // A guard that starts needs a server that ends.
  "guard/server-ended": "guard/program.test.ts",
  // These depend on the system and on what it has.
  "isolation/variable": "local/isolate-server.test.ts",
  "isolation/failed": "local/isolate-server.test.ts",
  "isolation/system": "local/isolate-server.test.ts",
  // A case would be a very long file.
  "check/more": "views/at-most.test.ts",
  "import/too-many": "import/formats.test.ts",
  // These need a keychain.
  "vault/needs-terminal": "vault/keychain-trial.ts",
  "vault/not-stored": "vault/vault.test.ts",
  "vault/not-deleted": "vault/vault.test.ts",
  // These ask a server.
  "pin/lost": "commands/pin.test.ts",
  "pin/no-answer": "commands/pin.test.ts",
  "pin/changed": "commands/pin.test.ts",
  "pin/withheld": "commands/pin.test.ts",
};

test("every code is printed by a case", () => {
  const codes = Object.keys(catalog).filter((code) => !(code in ELSEWHERE));
  expect(missing(codes.map((code) => `code:${code}`))).toEqual([]);
});

test("a code is excepted only while it must be, and another test names it", () => {
  for (const [code, file] of Object.entries(ELSEWHERE)) {
    expect(Object.keys(catalog)).toContain(code);
    expect(shown.has(`code:${code}`), `${code} is in a case by now`).toBe(
      false,
    );
    expect(readFileSync(join(import.meta.dirname, file), "utf8")).toContain(
      code,
    );
  }
});

const PAIRS = ["machine/root", "machine/project", "root/project"];
const OF_THE_MACHINE = ["machine/root", "machine/project"];
/** The rows of the merge table whose keys exist, and the pairs of layers between which they mean something. */
const ROWS: Readonly<Record<string, readonly string[]>> = {
  url: PAIRS,
  command: PAIRS,
  cwd: PAIRS,
  env: PAIRS,
  headers: PAIRS,
  token: PAIRS,
  isolation: PAIRS,
  allowSystemSocket: OF_THE_MACHINE,
  enabled: PAIRS,
  "tools.allow": PAIRS,
  "tools.ask": PAIRS,
  "tools.deny": PAIRS,
  "limits.call": PAIRS,
  "limits.request": PAIRS,
  "limits.response": PAIRS,
  "limits.rate": PAIRS,
  "paths.read": PAIRS,
  "paths.write": PAIRS,
  "hosts.allow": PAIRS,
  "hosts.ports": PAIRS,
  "tools.reads": PAIRS,
  private: PAIRS,
  "secrets.refuse": PAIRS,
  airGap: PAIRS,
  "a whole server": PAIRS,
  "a whole server, forbidden": OF_THE_MACHINE,
  projectServers: OF_THE_MACHINE,
  agents: OF_THE_MACHINE,
};

test("every row of the merge table is shown between each pair of layers", () => {
  expect(
    missing(
      Object.entries(ROWS).flatMap(([row, pairs]) =>
        pairs.map((pair) => `merge:${row}:${pair}`),
      ),
    ),
  ).toEqual([]);
});

test("every agent is shown with all that can be written about a server", () => {
  expect(
    missing(
      emitters.flatMap(({ target }) =>
        AGENT_FEATURES.map((feature) => `agent:${target}:${feature}`),
      ),
    ),
  ).toEqual([]);
});

/** Documents with a port and a key that are new in every run, and the test that prints and validates each instead. */
const PRINTED_ELSEWHERE: Readonly<Record<string, string>> = {
  gateway: "commands/gateway.test.ts",
};

test("every document is printed by a case", () => {
  const printed = Object.entries(published)
    .filter(([, { command }]) => command !== null)
    .map(([name]) => name)
    .filter((name) => !(name in PRINTED_ELSEWHERE));
  expect(missing(printed.map((name) => `document:${name}`))).toEqual([]);
  for (const [name, file] of Object.entries(PRINTED_ELSEWHERE)) {
    expect(Object.keys(published)).toContain(name);
    expect(shown.has(`document:${name}`)).toBe(false);
    expect(readFileSync(join(import.meta.dirname, file), "utf8")).toContain(
      `documentProblems(["${name}"]`,
    );
  }
});
