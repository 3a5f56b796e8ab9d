// What is left after much has gone wrong: no memory, no session, no handle. In a process of its own, so that what other
// tests leave is not counted, and so that the process has to end by itself.
import { buildSync } from "esbuild";
import { spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";

const KIB = 1024;
const HERE = import.meta.dirname;
let program = "";

beforeAll(() => {
  program = join(mkdtempSync(join(tmpdir(), "fenzi-left-")), "storm.mjs");
  buildSync({
    entryPoints: [join(HERE, "storm.ts")],
    outfile: program,
    bundle: true,
    platform: "node",
    format: "esm",
    // Packages in CommonJS ask for Node's own modules.
    banner: {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
    },
    logLevel: "error",
  });
});

/** What one kind of storm says of itself, after it has ended by itself. */
function storm(kind: string): Promise<Record<string, number>> {
  const child = spawn(process.execPath, ["--expose-gc", program, kind], {
    cwd: join(HERE, "..", ".."),
    stdio: ["ignore", "pipe", "inherit"],
    timeout: 200_000,
  });
  let text = "";
  child.stdout.on("data", (chunk: Buffer) => (text += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.on("close", (code, signal) =>
      code === 0
        ? resolve(JSON.parse(text) as Record<string, number>)
        : reject(new Error(`it ended with ${code ?? signal}: ${text}`)),
    );
  });
}

test("2,000 sessions cost little, and nothing once they have ended", async () => {
  const { opened, each, left } = await storm("sessions");
  expect(opened).toBe(2_000);
  expect(each).toBeLessThan(20 * KIB);
  expect(left).toBeLessThan(1_024 * KIB);
});

test("fifty clients at a server that fails in every way leave nothing, and each call is answered once", async () => {
  const { calls, answers, lines, left } = await storm("faults");
  expect(answers).toBe(calls);
  expect(lines).toBe(calls);
  expect(left).toBeLessThan(2_048 * KIB);
});
