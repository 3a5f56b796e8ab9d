// The guard as a process: what it starts, what it leaves behind, and what it does when either side does not read.
import { closeSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { answerWith, fakeServer, OK_RESULT } from "../gateway/fake-server.ts";
import { pause, until } from "../gateway/until.ts";
import { call, INITIALIZE, SERVER, TOKEN } from "./open-guard.ts";
import { lives } from "../support/lives.ts";
import { place, resident, useProgram, words, type Place } from "./program.ts";

useProgram();

const yaml = (entry: string): string => `version: 1\nmcp:\n  demo:\n${entry}`;

/** A trusted project whose server is a shell script. */
function shell(
  script: string,
  more: Readonly<Record<string, string>> = {},
): Place {
  const made = place({
    "project/server.sh": `#!/bin/sh\n${script}\n`,
    "project/fenzi.yaml": yaml(`    command: [./server.sh]\n`),
    ...more,
  });
  expect(made.run("trust", "--yes").exit).toBe(0);
  return made;
}

function node(script: string, entry = ""): Place {
  const made = place({
    "project/server.js": script,
    "project/fenzi.yaml": yaml(`    command: [node, server.js]\n${entry}`),
  });
  expect(made.run("trust", "--yes").exit).toBe(0);
  return made;
}

/** Leaves its own number and that of another in a file, and hears nothing. */
const DEAF = `trap '' TERM HUP INT; sleep 999 & echo $$ $! > pids; while :; do sleep 999; done`;

test("the end of the agent's input ends all that was started, and nothing but the protocol was printed", async () => {
  const world = shell(DEAF);
  const run = world.guard("demo");
  const pids = await words(join(world.project, "pids"), 2);
  run.say(call(1, "a"));
  run.child.stdin?.end();
  const before = performance.now();
  expect(await run.exit).toBe(0);
  expect(performance.now() - before).toBeLessThan(8_000);
  expect(pids.filter(lives)).toEqual([]);
  expect(run.out()).toBe("");
}, 60_000);

test("each signal ends it in the same order", async () => {
  // At once: each takes as long as a server that hears nothing is waited for.
  const ends = (["SIGTERM", "SIGINT", "SIGHUP"] as const).map(async (name) => {
    const world = shell(DEAF);
    const run = world.guard("demo");
    const pids = await words(join(world.project, "pids"), 2);
    run.child.kill(name);
    expect(await run.exit, name).toBe(0);
    expect(pids.filter(lives)).toEqual([]);
  });
  await Promise.all(ends);
}, 60_000);

test("an agent that reads no more ends it", async () => {
  const world = node(`
    setInterval(() => console.log('{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}'), 20);
    require("node:fs").writeFileSync("pids", String(process.pid));
    process.stdin.resume();`);
  const run = world.guard("demo");
  const [pid = ""] = await words(join(world.project, "pids"), 1);
  run.child.stdout?.destroy();
  expect(await run.exit).toBe(0);
  expect(lives(pid)).toBe(false);
  expect(run.err()).toBe("");
}, 60_000);

test("when it is killed, so is the server that hears nothing, with its children", async () => {
  const world = shell(
    `trap '' TERM HUP; sleep 999 & sleep 1; echo $$ $! > pids; while :; do sleep 1; done`,
  );
  const run = world.guard("demo");
  const pids = await words(join(world.project, "pids"), 2);
  run.child.kill("SIGKILL");
  await run.exit;
  await until(() => !pids.some(lives), 10_000);
}, 60_000);

test("a server that ends is not waited for because another holds its pipes", async () => {
  const world = shell(
    `sleep 999 & echo $! > pids; echo "out of luck" >&2; exit 5`,
  );
  const run = world.guard("demo");
  run.say(INITIALIZE);
  expect(await run.exit).toBe(3);
  const [pid = ""] = await words(join(world.project, "pids"), 1);
  expect(lives(pid)).toBe(false);
  expect(run.answers()[0].error.message).toContain("exit code 5");
  expect(run.err()).toContain("[guard/server-ended]");
  expect(run.err()).toContain("it said: out of luck");
}, 60_000);

test("the server gets its variables and no others, and no file of the agent", async () => {
  const world = node(
    `const fs = require("node:fs");
     const nameOf = (fd) => {
       try { return fs.readlinkSync("/proc/self/fd/" + fd); } catch { return ""; }
     };
     fs.writeFileSync("env", JSON.stringify({
       env: process.env,
       cwd: process.cwd(),
       fds: fs.readdirSync("/proc/self/fd").filter((fd) => nameOf(fd).endsWith("secret")),
     }));
     process.stdin.resume();`,
    `    env: { MODE: "a b", KEY: "\${DB_KEY}" }\n`,
  );
  const secret = join(world.root, "secret");
  writeFileSync(secret, "");
  const file = openSync(secret, "r");
  const many = Array.from({ length: 40 }, () => file);
  const run = world.guard("demo", {
    files: many,
    env: {
      DB_KEY: "k",
      LANG: "C.UTF-8",
      NODE_OPTIONS: "--no-warnings",
      LD_LIBRARY_PATH: "/nowhere",
      PYTHONSTARTUP: "/tmp/x.py",
      OTHER: "1",
    },
  });
  closeSync(file);
  await words(join(world.project, "env"), 1);
  run.child.stdin?.end();
  expect(await run.exit).toBe(0);
  const seen = JSON.parse(readFileSync(join(world.project, "env"), "utf8"));
  expect(Object.keys(seen.env).sort()).toEqual([
    "HOME",
    "KEY",
    "LANG",
    "MODE",
    "PATH",
  ]);
  expect(seen.env).toMatchObject({ MODE: "a b", KEY: "k" });
  expect(seen.fds).toEqual([]);
  expect(seen.cwd).toBe(world.project);
}, 60_000);

test("nothing that a repository planted runs through a server of the machine", async () => {
  const planted = `#!/bin/sh\ntouch ${"$"}0.ran\n`;
  const world = place({
    "home/.config/fenzi/mcp.yaml": yaml(`    command: [tool, x]\n`),
    "home/bin/tool": `#!/bin/sh\npwd > "$HOME/where"; echo "$PATH" >> "$HOME/where"; ls -A >> "$HOME/where"; exec cat > /dev/null\n`,
    "project/tool": planted,
    "project/bin/tool": planted,
    "project/node_modules/.bin/tool": planted,
    "project/.npmrc": "script-shell=./tool\n",
    "project/fenzi.yaml": "version: 1\n",
  });
  const PATH = `:.:bin:${world.project}/node_modules/.bin:${world.root}/home/bin:/usr/bin:/bin`;
  const early = world.guard("demo", { env: { PATH } });
  expect(await early.exit).toBe(1);
  expect(early.err()).toContain("[guard/untrusted-folder]");
  expect(world.run("trust", "--yes").exit).toBe(0);
  const run = world.guard("demo", { env: { PATH } });
  const where = join(world.root, "home/where");
  await words(where, 2);
  run.child.stdin?.end();
  expect(await run.exit).toBe(0);
  expect(readFileSync(where, "utf8").trimEnd().split("\n")).toEqual([
    join(world.root, "home/.local/state/fenzi/servers/demo"),
    `${world.root}/home/bin:/usr/bin:/bin`,
  ]);
}, 60_000);

test("a remote server behind the program gets its token, and its session is ended", async () => {
  const server = await fakeServer((received, res) =>
    received.method === "POST"
      ? answerWith(OK_RESULT)(received, res)
      : void res.writeHead(405).end(),
  );
  try {
    const world = place(
      {
        "project/fenzi.yaml": yaml(
          `    url: ${server.url}\n    token: true\n    tools: { allow: [read_file] }\n`,
        ),
      },
      { FENZI_VAULT_DEMO: TOKEN, FENZI_VAULT_DEMO_URL: server.url },
    );
    const early = world.guard("demo");
    expect(await early.exit).toBe(1);
    expect(server.received).toEqual([]);
    world.run("trust", "--yes");
    const run = world.guard("demo");
    run.say(call(1), call(2, "delete_all"));
    await until(() => run.answers().length === 2, 20_000);
    run.child.stdin?.end();
    expect(await run.exit).toBe(0);
    expect(server.received.map((r) => r.headers["authorization"])).toEqual([
      `Bearer ${TOKEN}`,
    ]);
    expect(run.out() + run.err()).not.toContain(TOKEN);
  } finally {
    await server.close();
  }
}, 60_000);

test("an edit makes the rules stricter while it runs, and never wider", async () => {
  const entry = (tools: string) =>
    yaml(`    command: [node, ${SERVER}]\n    tools: ${tools}\n`);
  const world = place({
    "project/fenzi.yaml": entry(
      "[read_file, search_docs]".replace(/^/, "{ allow: ").concat(" }"),
    ),
  });
  world.run("trust", "--yes");
  const run = world.guard("demo");
  run.say(call(1, "read_file"));
  await until(() => run.answers().length === 1, 20_000);
  writeFileSync(
    join(world.project, "fenzi.yaml"),
    entry("{ allow: [search_docs, delete_all] }"),
  );
  await until(
    () => world.log().some((row) => row["rule"] === "reload"),
    20_000,
  );
  run.say(call(2, "read_file"), call(3, "delete_all"), call(4, "search_docs"));
  await until(() => run.answers().length === 4, 20_000);
  expect(
    [2, 3, 4].map(
      (id) => run.answers().find((a) => a.id === id).result.isError === true,
    ),
  ).toEqual([true, true, false]);
  run.child.stdin?.end();
  expect(await run.exit).toBe(0);
}, 60_000);

const MIB = 1024 * 1024;
/** Kibibytes that a guard may have in memory, whatever the two sides do. */
const MOST = 300 * 1024;

test("an agent that does not read stops the server, not the memory", async () => {
  const world = node(`
    const line = '{"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"x":"' + "x".repeat(60_000) + '"}}}\\n';
    let written = 0;
    const more = () => {
      while (process.stdout.write(line) && written < 400 * ${MIB}) written += line.length;
      require("node:fs").writeFileSync("written", String(written));
    };
    process.stdout.on("drain", more);
    more();
    process.stdin.resume();`);
  const run = world.guard("demo", { unread: true });
  await words(join(world.project, "written"), 1);
  let last = -1;
  await until(() => {
    const now = Number(readFileSync(join(world.project, "written"), "utf8"));
    const same = now === last;
    last = now;
    return same;
  }, 60_000);
  await pause(1_000);
  expect(
    Number(readFileSync(join(world.project, "written"), "utf8")),
  ).toBeLessThan(64 * MIB);
  expect(resident(run.pid)).toBeLessThan(MOST);
  run.child.kill("SIGTERM");
  run.child.stdout?.resume();
  expect(await run.exit).toBe(0);
}, 120_000);

test("a server that does not read stops the agent, not the memory, and calls end in time", async () => {
  const world = node(
    `setInterval(() => {}, 1000);`,
    `    limits: { call: 2s }\n`,
  );
  const run = world.guard("demo");
  let id = 0;
  let blocked = false;
  const text = "x".repeat(500_000);
  const stdin = run.child.stdin;
  let sent = 0;
  while (sent < 300 * MIB && !blocked) {
    const line = `${JSON.stringify(call(++id, "read_file", { text }))}\n`;
    sent += line.length;
    if (stdin?.write(line) === false)
      blocked = await Promise.race([
        new Promise<false>((resolve) =>
          stdin.once("drain", () => resolve(false)),
        ),
        pause(1_500).then(() => true),
      ]);
  }
  expect(blocked).toBe(true);
  expect(resident(run.pid)).toBeLessThan(MOST);
  await until(() => run.answers().length > 0, 30_000);
  expect(run.answers()[0].result.content[0].text).toContain("`limits.call`");
  run.child.kill("SIGTERM");
  await run.exit;
}, 120_000);

test("a flood on standard error is taken and does not fill anything", async () => {
  const world = node(`
    const line = "x".repeat(100_000) + "\\n";
    let left = 2_000;
    const more = () => {
      while (left-- > 0) if (!process.stderr.write(line)) return void process.stderr.once("drain", more);
      console.log('{"jsonrpc":"2.0","id":1,"result":{"content":[]}}');
    };
    process.stdin.once("data", more);`);
  const run = world.guard("demo");
  run.say(call(1, "a"));
  await until(() => run.answers().length === 1, 60_000);
  expect(resident(run.pid)).toBeLessThan(MOST);
  expect(run.err()).toBe("");
  run.child.stdin?.end();
  expect(await run.exit).toBe(0);
  expect(world.log().length).toBeLessThan(200);
}, 120_000);
