// The programs that are measured, each a process of its own; all of them end when the bench ends.
import { fork, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { setTimeout as wait } from "node:timers/promises";

const children = new Set();
process.once("exit", () => {
  for (const child of children) child.kill("SIGKILL");
});
for (const signal of ["SIGINT", "SIGTERM"])
  process.once(signal, () => process.exit(1));

function keep(child) {
  children.add(child);
  child.once("exit", () => children.delete(child));
  return child;
}

/** One of the bench's own programs. Gives the process and the first message that it sends. */
export async function startOwn(path, ...args) {
  const child = keep(fork(path, args.map(String)));
  return { child, said: await next(child) };
}

/** The program as it is installed. Gives the process and what its ready line says. */
export async function startGateway(cli, { cwd, env, hook }) {
  const child = keep(
    fork(cli, ["gateway", "--trust"], {
      cwd,
      env,
      execArgv: ["--expose-gc", "--import", hook],
      stdio: ["ignore", "pipe", "inherit", "ipc"],
    }),
  );
  let line = "";
  while (!line.includes("\n")) {
    const [chunk] = await orEnd(child, once(child.stdout, "data"));
    line += chunk;
  }
  return { child, said: JSON.parse(line) };
}

/** Somebody else's program: it gets a port and is ready when it answers there. */
export async function startOther(path, argsFor) {
  const port = await freePort();
  const child = keep(
    spawn(process.execPath, [path, ...argsFor(port)], { stdio: "ignore" }),
  );
  for (let tries = 0; tries < 150 && child.exitCode === null; tries++) {
    const answer = await fetch(`http://127.0.0.1:${port}/mcp`).catch(
      () => null,
    );
    if (answer !== null) {
      await answer.body?.cancel();
      return { child, said: port };
    }
    await wait(100);
  }
  throw new Error(`${path} does not start`);
}

/** The next message of a process. */
export const next = async (child) =>
  (await orEnd(child, once(child, "message")))[0];

export function ask(child, message) {
  const answer = next(child);
  child.send(message);
  return answer;
}

async function orEnd(child, event) {
  const control = new AbortController();
  const ended = once(child, "exit", control).then(() => {
    throw new Error(`${child.spawnargs.join(" ")} ended`);
  });
  try {
    return await Promise.race([event, ended]);
  } finally {
    control.abort();
    ended.catch(() => {});
  }
}

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
}

/** Resident memory in MiB. */
export const residentOf = ({ pid }) =>
  Number(spawnSync("ps", ["-o", "rss=", "-p", String(pid)]).stdout) / 1024;
