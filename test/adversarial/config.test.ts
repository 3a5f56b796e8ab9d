// Every hostile or odd configuration comes out as named: an error with a place, or loaded with the named effects.
import {
  chmodSync,
  existsSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { loadProject, type Project } from "../../src/compile.ts";
import { hasErrors } from "../../src/diagnostics/diagnostic.ts";
import { decide, preparePolicy } from "../../src/policy/decide.ts";
import { testHost, type TestHost } from "../support/test-host.ts";
import { CONFIG_CASES, type ConfigCase } from "./config-cases.ts";

const SHARED = "../shared/cases/adversarial.jsonl";
const machineFile = (host: TestHost) =>
  join(host.home, ".config/fenzi/mcp.yaml");
const EMPTY = "version: 1\n";

const setUp: Readonly<Record<string, () => TestHost>> = {
  "config-policy-16": () => {
    const host = testHost({ machine: EMPTY });
    chmodSync(machineFile(host), 0o666);
    return host;
  },
  "config-merge-27": () => {
    const host = testHost();
    symlinkSync("/dev/zero", join(host.cwd, "fenzi.yaml"));
    return host;
  },
  "config-merge-28": () => {
    const host = testHost();
    writeFileSync(join(host.root, "fenzi.yaml"), "not: [valid\n");
    return host;
  },
  "config-merge-30": () =>
    testHost({
      project: {
        "fenzi.yaml": EMPTY,
        ".mcp.json": '{"mcpServers":{"rogue":{"command":"x"}}}',
        "fenzi.json": "{}",
      },
    }),
};

function hostOf(c: ConfigCase): TestHost {
  const special = setUp[c.id];
  if (special !== undefined) return special();
  return testHost({
    ...(c.project === undefined
      ? {}
      : { project: { "fenzi.yaml": c.project } }),
    ...(c.machine === undefined ? {} : { machine: c.machine }),
  });
}

function effect(project: Project, tool: string): string {
  const server = project.model?.servers.find((s) => s.name === "demo");
  if (project.model === null || server === undefined) return "no server";
  return decide(preparePolicy(server, project.model), { tool }).effect;
}

describe("configuration", () => {
  for (const c of CONFIG_CASES.filter((x) => x.moot === undefined))
    test(`${c.id}: ${c.why}`, () => {
      const project = loadProject(hostOf(c));
      const errors = project.diagnostics.filter((d) => d.severity === "error");
      if (c.expect === "loaded") expect(errors).toEqual([]);
      else {
        expect(errors.map((d) => d.code)).toContain(c.expect);
        expect(hasErrors(project.diagnostics) && project.model).toBe(null);
        for (const d of errors) expect(d.at, d.code).not.toBe(null);
      }
      for (const [tool, wanted] of Object.entries(c.calls ?? {}))
        expect(`${tool}: ${effect(project, tool)}`).toBe(`${tool}: ${wanted}`);
      expect(({} as { all?: unknown }).all).toBe(undefined);
    });

  test("every shared case is answered, and every answer is used", () => {
    if (!existsSync(SHARED)) return;
    const shared = readFileSync(SHARED, "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as { id: string; surface: string })
      .filter((c) => c.surface === "config")
      .map((c) => c.id);
    expect(CONFIG_CASES.map((c) => c.id).sort()).toEqual(shared.sort());
  });
});
