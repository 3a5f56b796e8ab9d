// `npm run bench:gateway`: what the gateway costs beside the least that a proxy can cost (`pass-through.mjs`), beside
// nothing, and beside other programs of its kind. One run on this machine's loopback: every round measures all of them
// in turn, and what is compared are the values of one round, so that a busy machine hits all alike.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { bundleOptions } from "../../../scripts/bundle-options.mjs";
import { ask, residentOf, startOther, startOurs } from "./processes.mjs";

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 15);
const WARM_UP = 2;
const MANY = 32;
const STREAMS = 40;
const SESSIONS = 2_000;

const here = fileURLToPath(new URL(".", import.meta.url));
const root = mkdtempSync(join(tmpdir(), "fenzi-bench-"));
process.once("exit", () => rmSync(root, { recursive: true, force: true }));
const file = (...path) => join(here, ...path);

if (!existsSync(file("node_modules")))
  spawnSync("npm", ["ci", "--ignore-scripts", "--silent"], {
    cwd: here,
    stdio: "inherit",
  });
await build({
  ...bundleOptions,
  entryPoints: [file("gateway-process.ts"), file("decisions.ts")],
  outdir: root,
  outExtension: { ".js": ".mjs" },
});

const direct = await startOurs(file("echo-server.mjs"));
const passThrough = await startOurs(file("pass-through.mjs"), [direct.said]);
const gateway = await startOurs(
  join(root, "gateway-process.mjs"),
  [direct.said, join(root, "log.jsonl")],
  ["--expose-gc"],
);
const mcpProxy = await startOther(
  file("node_modules/mcp-proxy/dist/bin/mcp-proxy.mjs"),
  (port) => [
    ...["--host", "127.0.0.1", "--port", String(port), "--server", "stream"],
    ...["--", process.execPath, file("echo-stdio.mjs")],
  ],
);
const supergateway = await startOther(
  file("node_modules/supergateway/dist/index.js"),
  (port) => [
    ...["--stdio", `"${process.execPath}" "${file("echo-stdio.mjs")}"`],
    ...["--outputTransport", "streamableHttp", "--stateful"],
    ...["--port", String(port), "--logLevel", "none"],
  ],
);
const load = await startOurs(file("load.mjs"));

const local = (port) => `http://127.0.0.1:${port}/mcp`;
const QUICK = { 1: 300, [MANY]: 1_600 };
/** Those on the official SDK are slow enough for fewer calls. */
const SLOW = { 1: 100, [MANY]: 320 };
const rows = [
  { name: "direct", url: local(direct.said), child: direct.child },
  { name: "pass-through", url: local(passThrough.said), ...passThrough },
  { name: "gateway", url: gateway.said, ...gateway },
  { name: "mcp-proxy", url: local(mcpProxy.port), ...mcpProxy, calls: SLOW },
  {
    name: "supergateway",
    url: local(supergateway.port),
    ...supergateway,
    calls: SLOW,
  },
].map((row) => ({ calls: QUICK, ...row, one: [], many: [], streams: [] }));
const [, floor, ours, ...others] = rows;

const message = (method, params) =>
  JSON.stringify({ jsonrpc: "2.0", id: "ID", method, params });
const call = (name) =>
  message("tools/call", {
    name,
    arguments: { path: "src/index.ts", lines: [1, 200], text: "x".repeat(100) },
    _meta: { progressToken: "ID" },
  });

async function initialize(url) {
  const answer = await fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
    body: message("initialize", {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "bench", version: "1" },
    }),
  });
  await answer.text();
  return answer.headers.get("mcp-session-id");
}

const sessions = new Map();
for (const row of rows) sessions.set(row, await initialize(row.url));
const measure = (row, concurrency, calls, body) =>
  ask(load.child, {
    url: row.url,
    session: sessions.get(row),
    concurrency,
    calls,
    body,
  });

for (let round = -WARM_UP; round < ROUNDS; round++)
  for (const row of rows) {
    const one = await measure(row, 1, row.calls[1], call("echo"));
    const many = await measure(row, MANY, row.calls[MANY], call("echo"));
    const stream =
      row === floor || row === ours
        ? await measure(row, 1, STREAMS, call("stream"))
        : null;
    if (round < 0) continue;
    row.one.push(one.p50);
    row.many.push(many.perSecond);
    if (stream !== null) row.streams.push(stream.p50);
  }
for (const row of rows) row.resident = residentOf(row.child);

const before = await ask(gateway.child, "memory");
for (let left = SESSIONS; left > 0; left -= 50)
  await Promise.all(Array.from({ length: 50 }, () => initialize(ours.url)));
const after = await ask(gateway.child, "memory");
const perSession = (kind) => (after[kind] - before[kind]) / SESSIONS / 1024;

const decided = await startOurs(join(root, "decisions.mjs"));

const median = (values) => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? sorted[middle]
    : (sorted[middle - 1] + sorted[middle]) / 2;
};
/** The median over the rounds of what two programs' values of one round say. */
const compared = (of, to, kind, how = (a, b) => a / b) =>
  median(of[kind].map((value, i) => how(value, to[kind][i])));
const cell = (text, width = 10) => String(text).padStart(width);

console.log(
  `one tools/call of an echo server; median of ${ROUNDS} interleaved rounds, Node ${process.versions.node}\n`,
);
console.log(
  `${"".padEnd(14)}${cell("p50 ms")}${cell("calls/s")}${cell("first event")}${cell("memory")}`,
);
console.log(
  `${"".padEnd(14)}${cell("1 at once")}${cell(`${MANY} at once`)}${cell("ms")}${cell("MiB")}`,
);
for (const row of rows)
  console.log(
    row.name.padEnd(14) +
      cell(median(row.one).toFixed(3)) +
      cell(Math.round(median(row.many))) +
      cell(row.streams.length === 0 ? "" : median(row.streams).toFixed(2)) +
      cell(row.resident.toFixed(0)),
  );

const million = (kind) => median(decided.said[kind]) / 1e6;
const targets = [
  ["p50 of one call, x pass-through", compared(ours, floor, "one"), "<=", 1.15],
  [
    `calls/s of ${MANY}, x pass-through`,
    compared(ours, floor, "many"),
    ">=",
    0.85,
  ],
  ...others.map((other) => [
    `calls/s of ${MANY}, x ${other.name}`,
    compared(ours, other, "many"),
    ">=",
    3,
  ]),
  [
    "first event later than pass-through, ms",
    compared(ours, floor, "streams", (a, b) => a - b),
    "<=",
    1,
  ],
  ["idle session, KiB of heap", perSession("heapUsed"), "<=", 20],
  ["idle session, KiB of memory", perSession("rss"), "<=", 20],
  ["million decisions/s, 10 exact names", million("exact10"), ">=", 1],
  ["million decisions/s, 1,000 exact names", million("exact1000"), ">=", 1],
  ["million decisions/s, 100 patterns", million("patterns100"), ">=", 1],
];
console.log("");
for (const [name, value, sign, limit] of targets) {
  const held = sign === "<=" ? value <= limit : value >= limit;
  if (!held) process.exitCode = 1;
  console.log(
    `${name.padEnd(42)}${cell(value.toFixed(2), 8)}   ${sign} ${limit}${held ? "" : "   MISSED"}`,
  );
}
process.exit();
