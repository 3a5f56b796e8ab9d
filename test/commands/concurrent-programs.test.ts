// Several real processes edit one file at once, and one is killed: nothing that was written may be lost or half.
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bundleOptions } from "../../scripts/bundle-options.mjs";
import { loadProject } from "../../src/compile.ts";
import { testHost, type TestHost } from "../support/test-host.ts";

const program = mkdtempSync(join(tmpdir(), "fenzi-program-"));
beforeAll(async () => {
  await build({
    ...bundleOptions,
    entryPoints: { cli: "src/cli.ts" },
    outdir: program,
    splitting: true,
    outExtension: { ".js": ".mjs" },
  });
});
afterAll(() => rmSync(program, { recursive: true }));

interface Ended {
  readonly code: number | null;
  readonly err: string;
}

function start(host: TestHost, args: readonly string[], killAfter?: number) {
  return new Promise<Ended>((resolve, reject) => {
    const child = spawn(process.execPath, [join(program, "cli.mjs"), ...args], {
      cwd: host.cwd,
      env: { PATH: process.env["PATH"], HOME: host.home },
      stdio: ["ignore", "ignore", "pipe"],
    });
    let err = "";
    child.stderr.on("data", (chunk: Buffer) => (err += String(chunk)));
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, err }));
    if (killAfter !== undefined)
      setTimeout(() => child.kill("SIGKILL"), killAfter);
  });
}

const names = (host: TestHost) =>
  loadProject(testHost({ root: host.root })).model?.servers.map((s) => s.name);

test("servers added at the same time all stay", async () => {
  const host = testHost();
  const added = ["a", "b", "c", "d", "e", "f"];
  const ended = await Promise.all(
    added.map((name) => start(host, ["mcp", "add", name, "--", "npx", name])),
  );
  expect(ended.map((e) => [e.code, e.err.includes("error")])).toEqual(
    added.map(() => [0, false]),
  );
  expect(names(host)).toEqual(added);
});

test("a killed writer leaves a whole file and no lock that lasts", async () => {
  const host = testHost({ project: { "fenzi.yaml": "version: 1\nmcp: {}\n" } });
  const times = [60, 90, 120, 150, 180, 210];
  for (const [i, time] of times.entries())
    await start(host, ["mcp", "add", `s${i}`, "--", "npx"], time);
  // Whatever came of those, the file reads, and the next writer gets through at once.
  expect(names(host)).toBeDefined();
  const began = performance.now();
  expect(await start(host, ["mcp", "add", "last", "--", "npx"])).toMatchObject({
    code: 0,
  });
  expect(performance.now() - began).toBeLessThan(9_000);
  expect(names(host)).toContain("last");
  expect(readdirSync(host.cwd).sort()).toContain("fenzi.yaml");
});
