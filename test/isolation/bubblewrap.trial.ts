// A hostile server behind `isolation: bubblewrap`: what it reads, writes, reaches and outlives.
import { once } from "node:events";
import { existsSync, lstatSync, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import {
  comes,
  guarded,
  processesWith,
  project,
  type Guarded,
  type Project,
} from "./guarded.ts";

const made: Project[] = [];
const running: Guarded[] = [];
const closing: (() => void)[] = [];
afterEach(async () => {
  for (const each of running.splice(0)) await each.end();
  for (const each of made.splice(0)) each.remove();
  for (const close of closing.splice(0)) close();
});

async function start(keys = "", files: Readonly<Record<string, string>> = {}) {
  const where = project(
    `{ command: [node, ./probe.mjs], isolation: bubblewrap${keys} }`,
    files,
  );
  made.push(where);
  const server = await guarded(where);
  running.push(server);
  return { ...where, ...server };
}

async function listening(): Promise<number> {
  const server = createServer((_req, res) => res.end("reached")).listen(
    0,
    "127.0.0.1",
  );
  await once(server, "listening");
  closing.push(() => void server.close());
  return (server.address() as AddressInfo).port;
}

test("it works in the project, and the rest of the machine is not there", async () => {
  const s = await start(', env: { SECRET: "${SECRET}" }', {
    "elsewhere/notes.txt": "other project\n",
    "project/src/a.txt": "mine\n",
    "project/.env": "KEY=1\n",
    "project/src/server.pem": "key\n",
  });
  expect(
    await s.run("cat src/a.txt; echo new > b.txt; echo more > src/c.txt"),
  ).toContain("mine");
  expect(readFileSync(join(s.folder, "b.txt"), "utf8")).toBe("new\n");
  for (const path of [
    `${s.home}/.ssh/id_ed25519`,
    `${s.root}/elsewhere/notes.txt`,
    ".env",
    "src/server.pem",
    "/etc/shadow",
    `${s.root}/state/trust.json`,
  ])
    expect(await s.run(`cat ${path}`), path).toMatch(
      /No such file|Permission denied/,
    );
  const list = await s.run("ls / /home /root /tmp; ls ~; id -u");
  expect(list).not.toContain("id_ed25519");
  // The variables that it gets are its own, and no other program's.
  expect(await s.run("env | grep -c FENZI")).toMatch(/^0\n/);
  expect(await s.run('printf %s "$SECRET" | rev')).toContain("2retnuh2retnuh");
  expect(
    processesWith("hunter2hunter2").every(
      (pid) =>
        !readFileSync(`/proc/${pid}/cmdline`, "latin1").includes("hunter2"),
    ),
  ).toBe(true);
});

test("what runs code or sets rules outside cannot be changed, moved or made, and nothing is left of that", async () => {
  const s = await start("", {
    "project/.claude/settings.json": "{}\n",
    "project/.vscode/tasks.json": "{}\n",
  });
  const attacks = [
    "echo x >> fenzi.yaml",
    "rm -f fenzi.yaml",
    "mv fenzi.yaml old.yaml",
    "echo x > .git/hooks/post-commit",
    "mkdir .git/hooks/x",
    "echo x >> .git/config",
    "mv .git elsewhere",
    "mv .git/hooks .git/other",
    "echo /x > .git/commondir",
    "echo x > .claude/settings.json",
    "echo x > .claude/settings.local.json",
    "mv .claude away",
    "echo x > .mcp.json",
    "ln -sf /etc/passwd .mcp.json",
    "echo x > .vscode/tasks.json",
    "echo x > .cursor/mcp.json",
    "mkdir .codex/x",
    "rmdir .idea",
    "echo x > opencode.json",
    "echo x > .envrc",
    "mount -o remount,rw /",
    "umount .git/hooks",
    "unshare -Urm sh -c 'umount .git/hooks && echo x > .git/hooks/pre-push'",
  ];
  for (const attack of attacks)
    expect(await s.run(attack), attack).not.toMatch(/exit 0$/);
  expect(await s.end()).toBe(0);
  running.pop();
  expect(readdirSync(s.folder).sort()).toEqual([
    ".claude",
    ".git",
    ".vscode",
    "fenzi.yaml",
    "probe.mjs",
  ]);
  expect(readdirSync(join(s.folder, ".git")).sort()).toEqual([
    "config",
    "hooks",
  ]);
  expect(readdirSync(join(s.folder, ".git/hooks"))).toEqual([]);
  expect(readFileSync(join(s.folder, ".claude/settings.json"), "utf8")).toBe(
    "{}\n",
  );
});

test("two servers in one project keep what either of them needs", async () => {
  const s = await start();
  const second = await guarded(s);
  expect(await s.end()).toBe(0);
  running.splice(0, 1, second);
  expect(existsSync(join(s.folder, ".mcp.json"))).toBe(true);
  expect(await second.run("echo x > .mcp.json")).toContain("Read-only");
});

test("`paths` are the only files, for reading and for writing", async () => {
  const s = await start(
    ', paths: { read: [probe.mjs, "docs/**"], write: ["out/**"] }',
    {
      "project/docs/a.txt": "read me\n",
      "project/out/old.txt": "old\n",
      "project/other.txt": "not for it\n",
    },
  );
  expect(await s.run("cat docs/a.txt")).toContain("read me");
  expect(await s.run("echo x > docs/a.txt")).toContain("Read-only");
  expect(await s.run("echo x > out/new.txt")).toMatch(/exit 0$/);
  expect(await s.run("cat other.txt")).toContain("No such file");
  await s.run("echo x > top.txt");
  expect(existsSync(join(s.folder, "top.txt"))).toBe(false);
});

test("no network without hosts: not this machine, not abstract sockets", async () => {
  const port = await listening();
  const s = await start();
  const connect = `node -e 'require("net").connect(${port},"127.0.0.1").on("connect",()=>{console.log("reached");process.exit()}).on("error",e=>{console.log(e.code);process.exit(1)})'`;
  expect(await s.run(connect)).toContain("ECONNREFUSED");
  expect(
    await s.run("cat /proc/net/dev | grep -cv -e lo: -e Inter -e face"),
  ).toMatch(/^0\n/);
  expect(await s.run("ls /run /var/run 2>&1")).not.toContain("dbus");
});

test("with hosts, only those and only through the proxy", async () => {
  const port = await listening();
  const other = await listening();
  const s = await start(`, hosts: { allow: [127.0.0.1], ports: [${port}] }`);
  const get = (url: string) =>
    s.run(
      `node -e 'const u=new URL("${url}");require("http").get({host:"127.0.0.1",port:3128,path:u.href,headers:{host:u.host}},r=>{let b="";r.on("data",c=>b+=c).on("end",()=>console.log(r.statusCode,b))}).on("error",e=>console.log(e.code))'`,
    );
  expect(await s.run("echo $HTTPS_PROXY $http_proxy")).toContain(
    "http://127.0.0.1:3128 http://127.0.0.1:3128",
  );
  expect(await get(`http://127.0.0.1:${port}/`)).toContain("200 reached");
  expect(await get(`http://127.0.0.1:${other}/`)).toContain("403");
  expect(await get("http://169.254.169.254/latest/")).toContain("403");
  expect(await get("http://example.com/")).toContain("403");
  // Directly there is nothing.
  expect(
    await s.run(
      `node -e 'require("net").connect(${port},"127.0.0.1").on("error",e=>console.log(e.code))'`,
    ),
  ).toContain("ECONNREFUSED");
  // Nothing but standard input and output is open.
  expect(
    await s.run("ls /proc/1/fd /proc/2/fd | sort -u | tr '\\n' ' '"),
  ).not.toMatch(/socket/);
  expect(s.log()).toContain(`allow GET 127.0.0.1:${port} hosts.allow`);
  expect(s.log()).toContain(`deny GET 127.0.0.1:${other} hosts.ports`);
  expect(s.log()).toContain("deny GET 169.254.169.254:80 hosts.allow");
});

test("it has no rights, and no way to keys and processes of others", async () => {
  const s = await start();
  expect(await s.run("grep CapEff /proc/self/status")).toContain(
    "0000000000000000",
  );
  expect(await s.run("grep NoNewPrivs /proc/self/status")).toContain("1");
  expect(await s.run("grep Seccomp: /proc/self/status")).toContain("2");
  // keyctl(KEYCTL_GET_KEYRING_ID, session), add_key, ptrace(TRACEME)
  for (const call of process.arch === "x64"
    ? ["250, 0, -3, 0", "248, 0, 0, 0, 0, 0", "101, 0, 0, 0, 0"]
    : ["219, 0, -3, 0", "217, 0, 0, 0, 0, 0", "117, 0, 0, 0, 0"])
    expect(
      await s.run(`perl -e 'print syscall(${call}), " ", $!+0'`),
      call,
    ).toContain("-1 1");
  expect(await s.run("echo x > /proc/sys/kernel/core_pattern")).not.toMatch(
    /exit 0$/,
  );
  expect(await s.run("ls /proc | grep -c '^[0-9]*$'")).toMatch(
    /^[1-9]\n|^1\d\n/,
  );
});

test("nothing of it survives the guard, however that ends", async () => {
  const s = await start(", env: { MARK: fenzi-survivor-probe }");
  await s.run(
    "(setsid sleep 1000 >/dev/null 2>&1 &) ; nohup sleep 1001 >/dev/null 2>&1 &",
  );
  expect(processesWith("fenzi-survivor-probe").length).toBeGreaterThan(1);
  s.process.kill("SIGKILL");
  running.pop();
  expect(
    await comes(() => processesWith("fenzi-survivor-probe").length === 0),
  ).toBe(true);
  // What it left in the project is taken away by the next one.
  expect(existsSync(join(s.folder, ".mcp.json"))).toBe(true);
  const next = await guarded(s);
  expect(await next.end()).toBe(0);
  expect(existsSync(join(s.folder, ".mcp.json"))).toBe(false);
  expect(
    await comes(() => processesWith("fenzi-survivor-probe").length === 0),
  ).toBe(true);
});

test("its own home stays, and is nobody else's", async () => {
  const s = await start();
  await s.run("echo kept > ~/cache");
  await s.end();
  running.pop();
  const again = await guarded(s);
  running.push(again);
  expect(await again.run("cat ~/cache")).toContain("kept");
  expect(existsSync(join(s.home, "cache"))).toBe(false);
  expect(lstatSync(join(s.root, "state/homes")).mode & 0o077).toBe(0);
});
