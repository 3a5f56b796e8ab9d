// The hostile cases for a guard that are about processes, step by step, with the built program.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { pause, until } from "../gateway/until.ts";
import { call, INITIALIZE, openGuard, SERVER } from "../guard/open-guard.ts";
import { place, words, type Place } from "../guard/program.ts";
import { lives } from "../support/lives.ts";

const yaml = (entry: string): string => `version: 1\nmcp:\n  demo:\n${entry}`;

/** A trusted project with one server. */
function project(
  entry: string,
  files: Readonly<Record<string, string>> = {},
): Place {
  const made = place({ "project/fenzi.yaml": yaml(entry), ...files });
  made.run("trust", "--yes");
  return made;
}
const shell = (script: string): Place =>
  project("    command: [./server.sh]\n", {
    "project/server.sh": `#!/bin/sh\n${script}\n`,
  });
const pids = (world: Place, count = 1) =>
  words(join(world.project, "pids"), count);

export const STEPS: Readonly<Record<string, () => Promise<void>>> = {
  // The answer comes when the call has been given up.
  "stdio-policy-16": async () => {
    const open = await openGuard({
      limits: { call: 200 },
      script: `process.stdin.once("data", () => setTimeout(() => console.log('{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}'), 1_000));`,
    });
    open.say({ jsonrpc: "2.0", id: 1, method: "tools/list" });
    expect((await open.answerTo(1)).error).toBeDefined();
    await until(
      () => open.records.some(({ rule }) => rule === "unrequested"),
      20_000,
    );
    expect(open.answers).toHaveLength(1);
  },
  "stdio-proc-01": async () => {
    const world = shell(
      `trap "" TERM; echo $$ > pids; while :; do sleep 999; done`,
    );
    const run = world.guard("demo");
    const found = await pids(world);
    run.child.stdin?.end();
    const before = performance.now();
    expect(await run.exit).toBe(0);
    expect(performance.now() - before).toBeLessThan(8_000);
    expect(found.filter(lives)).toEqual([]);
  },
  "stdio-proc-02": async () => {
    const world = shell(`(sleep 999 & echo $! > pids); exit 0`);
    const run = world.guard("demo");
    const found = await pids(world);
    expect(await run.exit).toBe(3);
    expect(found.filter(lives)).toEqual([]);
  },
  "stdio-proc-05": async () => {
    const run = shell("exit 1").guard("demo");
    run.say(INITIALIZE);
    expect(await run.exit).toBe(3);
    expect(run.answers()[0].error.message).toContain("exit code 1");
  },
  "stdio-proc-07": async () => {
    const made = (command: string) =>
      project(`    command: [${command}]\n`, {
        "project/plain": "echo no\n",
        "project/folder/x": "",
      });
    for (const command of [
      "/nonexistent",
      "./plain",
      "./folder",
      "plain",
      "no-such-program",
    ]) {
      const run = made(command).guard("demo");
      expect(await run.exit).toBe(1);
      expect(run.err()).toContain("[guard/no-program]");
      expect(run.out()).toBe("");
    }
  },
  "stdio-proc-08": async () => {
    for (const name of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
      const world = shell("echo $$ > pids; cat > /dev/null");
      const run = world.guard("demo");
      const found = await pids(world);
      run.child.kill(name);
      expect(await run.exit).toBe(0);
      expect(found.filter(lives)).toEqual([]);
    }
  },
  "stdio-proc-09": async () => {
    const world = shell("echo $$ > pids; while :; do sleep 1; done");
    const run = world.guard("demo");
    const [pid = ""] = await pids(world);
    run.child.kill("SIGKILL");
    await run.exit;
    await until(() => !lives(pid), 10_000);
  },
  "stdio-proc-10": async () => {
    const world = project(`    command: [node, ${SERVER}]\n`);
    const run = world.guard("demo");
    run.child.stdout?.destroy();
    for (let id = 0; id < 20 && run.child.exitCode === null; id++) {
      run.say(call(id));
      await pause(100);
    }
    expect(await run.exit).toBe(0);
    expect(run.err()).toBe("");
  },
  "stdio-proc-11": () =>
    covered("an agent that does not read stops the server, not the memory"),
  "stdio-proc-12": () =>
    covered(
      "a server that does not read stops the agent, not the memory, and calls end in time",
    ),
  // The server ends between two calls, while a third is on its way.
  "stdio-proc-14": async () => {
    const open = await openGuard({
      script: `process.stdin.once("data", () => process.kill(process.pid, "SIGKILL"));`,
    });
    for (let id = 0; id < 50; id++) {
      open.say(call(id));
      await Promise.resolve();
    }
    await open.guard.ended;
    expect(new Set(open.answers.map(({ id }) => id)).size).toBe(50);
    expect(
      open.answers.every(({ result }) => result?.["isError"] === true),
    ).toBe(true);
  },
  "stdio-proc-16": async () => {
    const world = project(
      '    command: [node, server.js, "--token", "${GITHUB_TOKEN}"]\n',
      {
        "project/server.js": "",
      },
    );
    const secret = `ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}`;
    const run = world.guard("demo", { env: { GITHUB_TOKEN: secret } });
    expect(await run.exit).toBe(1);
    expect(run.err()).toContain("[guard/secret-argument]");
    expect(run.err()).not.toContain(secret);
  },
  "stdio-proc-17": async () => {
    const world = shell("env > seen; cat > /dev/null");
    const run = world.guard("demo", {
      env: {
        LD_LIBRARY_PATH: "/nowhere",
        PYTHONSTARTUP: "/tmp/x.py",
        NODE_OPTIONS: "--no-warnings",
      },
    });
    const seen = await words(join(world.project, "seen"), 2);
    run.child.stdin?.end();
    await run.exit;
    expect(
      seen.filter((word) => /^(?:NODE_OPTIONS|PYTHON|LD_)/.test(word)),
    ).toEqual([]);
  },
  "stdio-proc-19": async () => {
    const world = place({
      "home/.config/fenzi/mcp.yaml": yaml("    command: [./server]\n"),
      "project/server": "#!/bin/sh\ntouch ran\n",
      "project/fenzi.yaml": "version: 1\n",
    });
    world.run("trust", "--yes");
    const run = world.guard("demo");
    expect(await run.exit).toBe(1);
    expect(run.err()).toContain("must be absolute");
  },
  "stdio-proc-20": async () => {
    const world = shell("ls /proc/$$/fd > seen; cat > /dev/null");
    writeFileSync(join(world.root, "other"), "");
    const run = world.guard("demo", { files: [1, 2, 2, 2] });
    const seen = await words(join(world.project, "seen"), 3);
    run.child.stdin?.end();
    await run.exit;
    // A shell may hold its script open.
    expect(seen.filter((fd) => Number(fd) < 10)).toEqual(["0", "1", "2"]);
  },
};

/** It is a test of its own, in `test/guard/program.test.ts`, because it takes long. */
async function covered(title: string): Promise<void> {
  const { readFileSync } = await import("node:fs");
  expect(
    readFileSync(join(import.meta.dirname, "../guard/program.test.ts"), "utf8"),
  ).toContain(title);
}
