// `npm run test:fuzz [-- RUNS [SEED]]`: the fuzz tests with many more runs, and a sixth as many requests over HTTP.
import { spawnSync } from "node:child_process";

const [runs = "120000", seed = String(Date.now() % 2147483647)] =
  process.argv.slice(2);
console.log(`${runs} runs of each, seed ${seed}`);
const { status } = spawnSync(
  process.execPath,
  [
    "node_modules/vitest/vitest.mjs",
    "run",
    "test/enforce/fuzz.test.ts",
    "test/gateway/fuzz.test.ts",
    "--testTimeout=1800000",
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
process.exit(status ?? 1);
