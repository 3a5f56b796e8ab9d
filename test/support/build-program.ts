// The program as it is installed, for tests that need a process.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect } from "vitest";
import { ROOT } from "./source-imports.ts";

/** Builds it into that folder. Returns what Node has to be started with. */
export function buildProgram(folder: string): string {
  const { stderr } = spawnSync(
    process.execPath,
    ["scripts/build.mjs", folder],
    { cwd: ROOT, encoding: "utf8" },
  );
  expect(stderr).toBe("");
  return join(folder, "cli.cjs");
}
