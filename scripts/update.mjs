// Writes what tests compare with: `npm run update -- CASE…` for golden cases, `-- schemas` for the published schemas,
// `-- docs` for what the pages show, `-- --all` for everything. Read the difference before you commit it.
import { spawnSync } from "node:child_process";

const names = process.argv.slice(2);
if (process.env.CI) {
  console.error("update: not in CI, where nobody reads what changed");
  process.exit(2);
}
if (names.length === 0) {
  console.error("update: name a case of golden/, `schemas`, `docs`, or --all");
  process.exit(2);
}
const all = names.includes("--all");
const cases = names.filter(
  (name) => !["schemas", "docs", "--all"].includes(name),
);
const files = [
  ...(all || cases.length > 0 ? ["test/golden.test.ts"] : []),
  ...(all || names.includes("schemas") ? ["test/generated.test.ts"] : []),
  ...(all || names.includes("docs") ? ["test/docs.test.ts"] : []),
];
const run = spawnSync("npx", ["vitest", "run", ...files], {
  stdio: "inherit",
  env: {
    ...process.env,
    UPDATE: "1",
    ...(all ? {} : { GOLDEN_CASES: cases.join(",") }),
  },
});
process.exitCode = run.status ?? 3;
