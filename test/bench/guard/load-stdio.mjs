// Makes the load over standard input and output, in a process of its own, which starts the measured program: its argv,
// cwd and env come as JSON. Every message of the parent is one measurement, and is answered with one.
import { spawn } from "node:child_process";
import { INITIALIZE, message } from "../gateway/messages.mjs";

const { argv, cwd, env } = JSON.parse(process.argv[2]);
const [program, ...args] = argv;
const began = performance.now();
const child = spawn(program, args, {
  cwd,
  env,
  stdio: ["pipe", "pipe", "inherit"],
});
child.once("exit", () => process.exit(1));
process.once("disconnect", () => {
  child.kill("SIGKILL");
  process.exit(0);
});

const waiting = new Map();
let rest = "";
let ids = 0;
child.stdout.setEncoding("latin1");
child.stdout.on("data", (chunk) => {
  const lines = (rest + chunk).split("\n");
  rest = lines.pop();
  for (const line of lines) {
    const id = Number(/"id":(\d+)/.exec(line)?.[1]);
    if (!line.includes('"result"') || line.includes('"isError":true'))
      throw new Error(`answered ${line.slice(0, 1_000)}`);
    waiting.get(id)(performance.now());
    waiting.delete(id);
  }
});

/** The moment at which the answer was there. */
function call(body) {
  const id = (ids += 1);
  return new Promise((resolve) => {
    waiting.set(id, resolve);
    child.stdin.write(`${body.replaceAll('"ID"', String(id))}\n`);
  });
}

const first = (await call(INITIALIZE)) - began;
child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
await call(message("tools/list", {}));
process.send({ pid: child.pid, first });

process.on("message", async ({ concurrency, calls, body }) => {
  const times = [];
  let left = calls;
  const start = performance.now();
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (left-- > 0) {
        const sent = performance.now();
        times.push((await call(body)) - sent);
      }
    }),
  );
  const seconds = (performance.now() - start) / 1000;
  times.sort((a, b) => a - b);
  process.send({ p50: times[times.length >> 1], perSecond: calls / seconds });
});
