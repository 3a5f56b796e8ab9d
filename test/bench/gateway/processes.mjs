// The programs that are measured, each a process of its own, all ended when the bench ends.
import { fork, spawn, spawnSync } from "node:child_process";
import { createServer } from "node:net";
import { setTimeout as wait } from "node:timers/promises";

const children = new Set();
process.once("exit", () => {
  for (const child of children) child.kill("SIGKILL");
});
for (const signal of ["SIGINT", "SIGTERM"])
  process.once(signal, () => process.exit(1));

const keep = (child) => {
  children.add(child);
  child.once("exit", () => children.delete(child));
  return child;
};

/** One of ours: it sends where it listens. Gives the process and what it sent. */
export async function startOurs(path, args = [], execArgv = []) {
  const child = keep(fork(path, args.map(String), { execArgv }));
  return { child, said: await next(child) };
}

/** The next message of a process. */
export const next = (child) =>
  new Promise((resolve, reject) => {
    const ended = () => reject(new Error(`${child.spawnfile} ended`));
    child.once("exit", ended);
    child.once("message", (message) => {
      child.off("exit", ended);
      resolve(message);
    });
  });

export function ask(child, message) {
  const answer = next(child);
  child.send(message);
  return answer;
}

/** Somebody else's: it gets a port and is ready when it takes connections there. */
export async function startOther(path, argsFor) {
  const port = await freePort();
  const child = keep(
    spawn(process.execPath, [path, ...argsFor(port)], { stdio: "ignore" }),
  );
  for (let tries = 0; tries < 100; tries++) {
    if (child.exitCode !== null) break;
    const answer = await fetch(`http://127.0.0.1:${port}/mcp`).catch(
      () => null,
    );
    if (answer !== null) {
      await answer.body?.cancel();
      return { child, port };
    }
    await wait(100);
  }
  throw new Error(`${path} does not start`);
}

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

/** Resident memory in MiB. */
export const residentOf = ({ pid }) =>
  Number(spawnSync("ps", ["-o", "rss=", "-p", String(pid)]).stdout) / 1024;
