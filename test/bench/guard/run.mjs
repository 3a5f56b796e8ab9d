// `npm run bench:guard`: what the guard costs beside the same server spoken to directly, and beside other programs that
// stand before such a server. Every round measures all of them in turn, and only values of one round are compared, so that
// a busy machine hits all alike.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { guardCommand } from "../../support/guard-command.mjs";
import { installPinned } from "../../support/install-pinned.mjs";
import { call, INITIALIZE, message, post } from "../gateway/messages.mjs";
import { ECHO, startOthers } from "../gateway/others.mjs";
import { ask, residentOf, startOwn } from "../gateway/processes.mjs";
import {
  compared,
  median,
  printRows,
  printTargets,
} from "../gateway/table.mjs";

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 15);
const WARM_UP = 3;
const STARTS = 15;
const MANY = 32;

const file = (path) => fileURLToPath(new URL(path, import.meta.url));
const root = mkdtempSync(join(tmpdir(), "fenzi-bench-"));
process.once("exit", () => rmSync(root, { recursive: true, force: true }));
if (installPinned(file("../gateway")) === null) process.exit(1);

/** 20 rules for tools, paths, and the log where it always is. */
const names = Array.from({ length: 17 }, (_, i) => `tool_${i}`);
const server = {
  command: ECHO,
  tools: { allow: ["echo", ...names, "search_*"], deny: ["search_admin"] },
  paths: { read: ["src/**", "docs/**", "*.md"], write: ["src/**"] },
};
const plans = {
  direct: { argv: ECHO, cwd: root, env: { PATH: process.env.PATH } },
  guard: guardCommand({
    folder: join(root, "world"),
    name: "demo",
    project: { mcp: { demo: server } },
  }),
};

const startStdio = (name) =>
  startOwn(file("load-stdio.mjs"), JSON.stringify(plans[name]));
const http = await startOwn(file("../gateway/load.mjs"));
const stdioRow = async (name) => {
  const { child, said } = await startStdio(name);
  return {
    name,
    resident: residentOf({ pid: said.pid }),
    calls: { 1: 2_000, [MANY]: 10_000 },
    measure: (concurrency, calls, body) =>
      ask(child, { concurrency, calls, body }),
  };
};
const httpRow = async ({ name, child, said }) => {
  const url = `http://127.0.0.1:${said}/mcp`;
  const session = await post(url, INITIALIZE, null);
  await post(url, message("tools/list", {}), session);
  return {
    name,
    resident: residentOf(child),
    calls: { 1: 60, [MANY]: 200 },
    measure: (concurrency, calls, body) =>
      ask(http.child, { url, session, concurrency, calls, body }),
  };
};

const rows = [await stdioRow("direct"), await stdioRow("guard")];
for (const other of await startOthers()) rows.push(await httpRow(other));
for (const row of rows)
  Object.assign(row, { p50: [], perSecond: [], firstEvent: [] });
const [direct, guard, ...others] = rows;

for (let round = -WARM_UP; round < ROUNDS; round++)
  for (const row of round % 2 === 0 ? rows : rows.toReversed()) {
    const one = await row.measure(1, row.calls[1], call("echo"));
    const many = await row.measure(MANY, row.calls[MANY], call("echo"));
    if (round < 0) continue;
    row.p50.push(one.p50);
    row.perSecond.push(many.perSecond);
  }

const first = { direct: [], guard: [] };
for (let round = 0; round < STARTS; round++)
  for (const name of round % 2 === 0
    ? ["direct", "guard"]
    : ["guard", "direct"]) {
    const { child, said } = await startStdio(name);
    first[name].push(said.first);
    child.disconnect();
  }

console.log(
  `tools/call of an echo server, with 1 and ${MANY} at once; median of ${ROUNDS} interleaved rounds, memory when idle, Node ${process.versions.node}\n`,
);
printRows(rows);
console.log(
  `\nstart to first answer, ms: ${median(first.direct).toFixed(0)} direct, ${median(first.guard).toFixed(0)} guard\n`,
);
const held = printTargets([
  [
    "p50 with 1, ms over 1.5 x direct",
    compared(guard, direct, "p50", (a, b) => a - 1.5 * b),
    "<=",
    0.1,
  ],
  ...others.map((other) => [
    `calls/s with ${MANY}, x ${other.name}`,
    compared(guard, other, "perSecond"),
    ">=",
    5,
  ]),
  [
    "first answer, ms after direct",
    median(first.guard) - median(first.direct),
    "<=",
    150,
  ],
]);
process.exit(held ? 0 : 1);
