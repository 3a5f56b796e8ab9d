// `npm run bench:gateway`: what the gateway costs beside nothing, beside the least that a proxy can cost
// (`pass-through.mjs`) and beside other programs of its kind. One run on this machine's loopback. Every round measures
// all of them in turn, and only values of one round are compared, so that a busy machine hits all alike.
import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { bundleOptions } from "../../../scripts/bundle-options.mjs";
import { call, INITIALIZE, message, post } from "./messages.mjs";
import { startOthers } from "./others.mjs";
import { ask, residentOf, startGateway, startOwn } from "./processes.mjs";
import { compared, median, printRows, printTargets } from "./table.mjs";

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 21);
const WARM_UP = 4;
const MANY = 32;
const STREAMS = 30;
const SESSIONS = 2_000;
const AT_ONCE = 50;

const here = fileURLToPath(new URL(".", import.meta.url));
const cli = fileURLToPath(new URL("../../../dist/cli.cjs", import.meta.url));
const file = (...path) => join(here, ...path);
const root = mkdtempSync(join(tmpdir(), "fenzi-bench-"));
process.once("exit", () => rmSync(root, { recursive: true, force: true }));

if (!existsSync(file("node_modules")))
  spawnSync("npm", ["ci", "--ignore-scripts", "--silent"], {
    cwd: here,
    stdio: "inherit",
  });

const direct = await startOwn(file("echo-server.mjs"));
const passThrough = await startOwn(file("pass-through.mjs"), direct.said);
const gateway = await startOurs(`http://127.0.0.1:${direct.said}/mcp`);
const others = await startOthers();
const load = await startOwn(file("load.mjs"));

/** 20 rules, a token, and the log where it always is. */
async function startOurs(url) {
  const names = Array.from({ length: 16 }, (_, i) => `tool_${i}`);
  const tools = {
    allow: ["echo", "stream", ...names, "search_*"],
    deny: ["search_admin"],
  };
  for (const folder of ["project", "home"]) mkdirSync(join(root, folder));
  writeFileSync(
    join(root, "project", "fenzi.yaml"),
    JSON.stringify({ version: 1, mcp: { demo: { url, token: true, tools } } }),
  );
  const started = await startGateway(cli, {
    cwd: join(root, "project"),
    env: {
      PATH: process.env.PATH,
      HOME: join(root, "home"),
      FENZI_CONFIG_DIR: join(root, "config"),
      FENZI_STATE_DIR: join(root, "state"),
      FENZI_VAULT_DEMO: "tok-51f6c7d2e8a94b03",
      FENZI_VAULT_DEMO_URL: url,
    },
    hook: file("memory.mjs"),
  });
  return { ...started, url: started.said.servers.demo.url };
}

/** Programs on the official SDK are slow enough for fewer calls. */
const QUICK = { 1: 400, [MANY]: 5_000 };
const SLOW = { 1: 60, [MANY]: 200 };
const rows = [
  { name: "direct", ...direct, calls: QUICK },
  { name: "pass-through", ...passThrough, calls: QUICK },
  { name: "gateway", ...gateway, calls: QUICK },
  ...others.map((other) => ({ ...other, calls: SLOW })),
].map((row) => ({
  url: `http://127.0.0.1:${row.said}/mcp`,
  ...row,
  p50: [],
  perSecond: [],
  firstEvent: [],
}));
const [, floor, ours, ...proxies] = rows;

const initialize = (url) => post(url, INITIALIZE, null);

for (const row of rows) {
  row.session = await initialize(row.url);
  await post(row.url, message("tools/list", {}), row.session);
}
const measure = ({ url, session }, concurrency, calls, body) =>
  ask(load.child, { url, session, concurrency, calls, body });

for (let round = -WARM_UP; round < ROUNDS; round++)
  for (const row of round % 2 === 0 ? rows : rows.toReversed()) {
    const one = await measure(row, 1, row.calls[1], call("echo"));
    const many = await measure(row, MANY, row.calls[MANY], call("echo"));
    const streams =
      row === floor || row === ours
        ? [await measure(row, 1, STREAMS, call("stream"))]
        : [];
    if (round < 0) continue;
    row.p50.push(one.p50);
    row.perSecond.push(many.perSecond);
    row.firstEvent.push(...streams.map(({ p50 }) => p50));
  }
for (const row of rows) row.resident = residentOf(row.child);

const before = await ask(gateway.child, "memory");
for (let left = SESSIONS; left > 0; left -= AT_ONCE)
  await Promise.all(
    Array.from({ length: AT_ONCE }, () => initialize(gateway.url)),
  );
const after = await ask(gateway.child, "memory");
const perSession = (kind) => (after[kind] - before[kind]) / SESSIONS / 1024;

await build({
  ...bundleOptions,
  entryPoints: [file("decisions.ts")],
  outfile: join(root, "decisions.mjs"),
});
const decisions = await startOwn(join(root, "decisions.mjs"));
const millions = (kind) => median(decisions.said[kind]) / 1e6;

console.log(
  `tools/call of an echo server, with 1 and ${MANY} at once; median of ${ROUNDS} interleaved rounds, Node ${process.versions.node}\n`,
);
printRows(rows);
console.log("");
const targets = [
  ["p50 with 1, x pass-through", compared(ours, floor, "p50"), "<=", 1.15],
  [
    `calls/s with ${MANY}, x pass-through`,
    compared(ours, floor, "perSecond"),
    ">=",
    0.85,
  ],
  ...proxies.map((other) => [
    `calls/s with ${MANY}, x ${other.name}`,
    compared(ours, other, "perSecond"),
    ">=",
    3,
  ]),
  [
    "first event, ms after pass-through",
    compared(ours, floor, "firstEvent", (a, b) => a - b),
    "<=",
    1,
  ],
  ["KiB of heap for an idle session", perSession("heapUsed"), "<=", 20],
  ["KiB of memory for an idle session", perSession("rss"), "<=", 20],
  ["million decisions/s, 10 exact names", millions("exact10"), ">=", 1],
  ["million decisions/s, 1,000 exact names", millions("exact1000"), ">=", 1],
  ["million decisions/s, 100 patterns", millions("patterns100"), ">=", 1],
];
process.exit(printTargets(targets) ? 0 : 1);
