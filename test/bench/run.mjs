// `npm run bench`: what a start of the program costs beside the least it could cost (`floor.mjs`, bundled the same way)
// and beside Node alone. One run: every round measures all of them in turn, so that a busy machine hits all alike.
import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { bundleOptions } from "../../scripts/bundle-options.mjs";

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 41);
const WARM_UP = 2;
const here = fileURLToPath(new URL(".", import.meta.url));
const cli = fileURLToPath(new URL("../../dist/cli.cjs", import.meta.url));

const root = mkdtempSync(join(tmpdir(), "fenzi-bench-"));
const at = (...path) => join(root, ...path);
process.once("exit", () => rmSync(root, { recursive: true, force: true }));

await build({
  ...bundleOptions,
  // As the program is.
  format: "cjs",
  banner: {},
  entryPoints: [join(here, "floor.mjs")],
  outfile: at("floor.cjs"),
});
mkdirSync(at("project"));
mkdirSync(at("home"));
copyFileSync(join(here, "fenzi.yaml"), at("project", "fenzi.yaml"));
writeFileSync(at("empty.cjs"), "");

const env = {
  PATH: process.env.PATH,
  HOME: at("home"),
  FENZI_CONFIG_DIR: at("config"),
  FENZI_STATE_DIR: at("state"),
};

/** Milliseconds that one process takes; it must succeed. */
function run(args) {
  const start = process.hrtime.bigint();
  const { status, stderr } = spawnSync(process.execPath, args, {
    cwd: at("project"),
    env,
    encoding: "utf8",
  });
  const took = Number(process.hrtime.bigint() - start) / 1e6;
  if (status !== 0)
    throw new Error(`node ${args.join(" ")} ended with ${status}\n${stderr}`);
  return took;
}

const fresh = () => {
  for (const folder of ["out", "state"])
    rmSync(at(folder), { recursive: true, force: true });
};

const compile = [cli, "compile", "--trust", "--out", at("out")];
run(compile);
const files = readdirSync(at("out"), {
  recursive: true,
  withFileTypes: true,
}).filter((entry) => entry.isFile()).length;

/** Each row: what is run, and how many times the floor it may take (null: shown for comparison). */
const rows = [
  { name: "node, empty file", args: [at("empty.cjs")], most: null },
  {
    name: "floor",
    args: [at("floor.cjs"), "fenzi.yaml", at("out"), String(files)],
    most: null,
  },
  { name: "fenzi compile", args: compile, most: 1.5 },
  { name: "fenzi --help", args: [cli, "--help"], most: 1.3 },
  { name: "fenzi mcp list", args: [cli, "mcp", "list"], most: 1.3 },
].map((row) => ({ ...row, times: [] }));

for (let round = -WARM_UP; round < ROUNDS; round++)
  for (const row of rows) {
    fresh();
    const took = run(row.args);
    if (round >= 0) row.times.push(took);
  }

const median = (values) => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? sorted[middle]
    : (sorted[middle - 1] + sorted[middle]) / 2;
};
const floor = median(rows[1].times);
const cell = (text, width) => String(text).padStart(width);
console.log(
  `5 servers, 4 agents, ${files} files; median of ${ROUNDS} interleaved rounds, Node ${process.versions.node}\n`,
);
console.log(
  `${"".padEnd(18)}${cell("ms", 8)}${cell("x floor", 10)}${cell("at most", 10)}`,
);
let over = 0;
for (const { name, times, most } of rows) {
  const ratio = median(times) / floor;
  if (most !== null && ratio > most) over++;
  const limit =
    most === null ? "" : `${most.toFixed(2)}${ratio > most ? " OVER" : ""}`;
  console.log(
    `${name.padEnd(18)}${cell(median(times).toFixed(1), 8)}${cell(ratio.toFixed(2), 10)}   ${limit.padStart(7)}`.trimEnd(),
  );
}
if (over > 0) process.exitCode = 1;
