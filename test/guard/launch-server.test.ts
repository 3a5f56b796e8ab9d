// What is left of a server when it is over: nothing. With real processes, since only they can be left behind.
import { tmpdir } from "node:os";
import { afterEach, expect, test } from "vitest";
import {
  launchServer,
  type ServerProcess,
} from "../../src/guard/launch-server.ts";
import { lives } from "../support/lives.ts";

const started: ServerProcess[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map((server) => server.stop()));
});

function sh(script: string, env: Record<string, string> = {}): ServerProcess {
  const server = launchServer({
    argv: ["/bin/sh", "-c", script],
    env: { PATH: "/usr/bin:/bin", ...env },
    cwd: tmpdir(),
  });
  started.push(server);
  return server;
}

async function firstLine(server: ServerProcess): Promise<string> {
  let text = "";
  for await (const chunk of server.output) {
    text += String(chunk);
    if (text.includes("\n")) break;
  }
  return text.trim();
}

test("a server that ends when its input does is not signalled", async () => {
  const server = sh("cat > /dev/null; exit 7");
  await server.stop();
  expect(await server.exited).toEqual({ code: 7, signal: null, failed: null });
});

test("a server that hears nothing is killed within five seconds, with all of its group", async () => {
  const server = sh(
    `trap '' TERM HUP; sleep 999 & echo $$ $!; while :; do sleep 999; done`,
  );
  const pids = (await firstLine(server)).split(" ");
  expect(pids.filter(lives)).toEqual(pids);
  const before = performance.now();
  await server.stop();
  expect(performance.now() - before).toBeLessThan(6_000);
  expect(pids.filter(lives)).toEqual([]);
}, 30_000);

test("what a server leaves behind goes with it, also when it ignores being asked", async () => {
  const server = sh(`(trap '' TERM; sleep 999) & echo $!; exit 3`);
  const pid = await firstLine(server);
  expect((await server.exited).code).toBe(3);
  expect(lives(pid)).toBe(true);
  await server.stop();
  expect(lives(pid)).toBe(false);
});

test("it has the variables of the plan and no others", async () => {
  const server = launchServer({
    argv: [process.execPath, "-e", SHOW],
    env: { ONE: "1" },
    cwd: tmpdir(),
  });
  started.push(server);
  expect(JSON.parse(await firstLine(server))).toEqual({ ONE: "1" });
});

const SHOW = "console.log(JSON.stringify(process.env))";

test("a program that cannot be started says so", async () => {
  const server = launchServer({
    argv: ["/bin/sh"],
    env: {},
    cwd: "/nowhere/at/all",
  });
  started.push(server);
  expect((await server.exited).failed).toBe("ENOENT");
  await server.stop();
});
