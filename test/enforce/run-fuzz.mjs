// `npm run test:fuzz [-- RUNS [SEED]]`: the fuzz tests with many more runs, and a sixth as many requests over HTTP. The
// last line counts them.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const [runs = "120000", seed = String(Date.now() % 2147483647)] =
  process.argv.slice(2);
console.log(`${runs} runs of each, seed ${seed}`);
const folder = mkdtempSync(join(tmpdir(), "fenzi-fuzz-"));
const report = join(folder, "report.json");
const { status } = spawnSync(
  process.execPath,
  [
    "node_modules/vitest/vitest.mjs",
    "run",
    "test/enforce/fuzz.test.ts",
    "test/gateway/fuzz.test.ts",
    "--testTimeout=1800000",
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${report}`,
  ],
  {
    stdio: "inherit",
    env: {
      ...process.env,
      FUZZ_RUNS: runs,
      FUZZ_HTTP_REQUESTS: String(Math.ceil(Number(runs) / 6)),
      FUZZ_SEED: seed,
    },
  },
);
try {
  const { numPassedTests, numFailedTests } = JSON.parse(
    readFileSync(report, "utf8"),
  );
  console.log(`${numPassedTests} passed, ${numFailedTests} failed`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit(status ?? 1);
