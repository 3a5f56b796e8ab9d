// A hostile server in a real container of Podman, of an image made from nothing but busybox.
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, beforeAll, expect, test } from "vitest";
import {
  comes,
  guarded,
  project,
  type Guarded,
  type Project,
} from "./guarded.ts";

const IMAGE = "localhost/fenzi-probe";
const made: Project[] = [];
const running: Guarded[] = [];
const closing: (() => void)[] = [];

beforeAll(() => {
  const work = process.env["FENZI_ISOLATION_WORK"] ?? "";
  const folder = join(work, "image");
  mkdirSync(folder);
  copyFileSync(
    spawnSync("sh", ["-c", "command -v busybox"]).stdout.toString().trim(),
    join(folder, "busybox"),
  );
  copyFileSync(
    join(import.meta.dirname, "probe-server.sh"),
    join(folder, "probe.sh"),
  );
  writeFileSync(
    join(folder, "Containerfile"),
    "FROM scratch\nCOPY --chmod=755 busybox /bin/busybox\nCOPY --chmod=755 probe.sh /probe.sh\n",
  );
  const built = spawnSync("podman", [
    "build",
    "--quiet",
    "--tag",
    IMAGE,
    folder,
  ]);
  expect(built.status, built.stderr.toString()).toBe(0);
});

afterEach(async () => {
  for (const each of running.splice(0)) await each.end();
  for (const each of made.splice(0)) each.remove();
  for (const close of closing.splice(0)) close();
});

async function start(isolation = "", keys = "") {
  const where = project(
    `{ command: [/probe.sh], isolation: { image: ${IMAGE}${isolation} }${keys} }`,
    {
      "project/a.txt": "mine\n",
      "project/.env": "KEY=1\n",
      "elsewhere/b.txt": "other\n",
    },
  );
  made.push(where);
  const server = await guarded(where);
  running.push(server);
  return { ...where, ...server };
}

const containers = (): string =>
  spawnSync("podman", [
    "ps",
    "--all",
    "--format",
    "{{.Names}}",
  ]).stdout.toString();

test("it has the project, and no other file, no right, no network", async () => {
  const s = await start("", ', env: { SECRET: "${SECRET}" }');
  const run = (command: string) => s.run(`b=/bin/busybox; ${command}`);
  expect(await run("$b cat a.txt; echo new > b.txt")).toContain("mine");
  expect(readFileSync(join(s.folder, "b.txt"), "utf8")).toBe("new\n");
  expect(await run(`$b cat ${s.root}/elsewhere/b.txt`)).toContain(
    "No such file",
  );
  expect(await run("$b cat .env")).not.toContain("KEY");
  expect(await run("echo x > fenzi.yaml")).toContain("Read-only");
  expect(await run("echo x > .git/hooks/post-commit")).toContain("Read-only");
  expect(await run("echo x > .mcp.json")).toContain("Read-only");
  expect(await run("echo x > /new")).toContain("Read-only");
  expect(await run("echo x > /tmp/new && echo written")).toContain("written");
  expect(await run("$b grep CapEff /proc/self/status")).toContain(
    "0000000000000000",
  );
  expect(await run("$b grep NoNewPrivs /proc/self/status")).toContain("1");
  expect(await run("$b ip -o link | $b grep -v ': lo:'; echo end")).toBe(
    "end\n",
  );
  expect(await run('printf %s "$SECRET" | $b rev')).toContain("2retnuh2retnuh");
  expect(spawnSync("ps", ["-eo", "args"]).stdout.toString()).not.toContain(
    "hunter2",
  );
  expect(await s.end()).toBe(0);
  running.pop();
  expect(containers()).toBe("");
  expect(existsSync(join(s.folder, ".mcp.json"))).toBe(false);
});

test("with `network: hosts` it reaches those through the proxy, and nothing else", async () => {
  const server = createServer((_req, res) => res.end("reached")).listen(
    0,
    "127.0.0.1",
  );
  await once(server, "listening");
  closing.push(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const s = await start(
    ", network: hosts",
    `, hosts: { allow: [127.0.0.1], ports: [${port}] }`,
  );
  const ask = (to: number, request: string) =>
    s.run(
      `(/bin/busybox printf '${request}'; /bin/busybox sleep 2) | /bin/busybox nc 127.0.0.1 ${to} 2>&1`,
    );
  const get = (url: string) => ask(3128, `GET ${url} HTTP/1.0\\r\\n\\r\\n`);
  expect(await get(`http://127.0.0.1:${port}/`)).toContain("reached");
  expect(await get("http://169.254.169.254/")).toContain("403");
  expect(await get("http://example.com/")).toContain("403");
  expect(await ask(port, "GET / HTTP/1.0\\r\\n\\r\\n")).not.toContain(
    "reached",
  );
  expect(s.log()).toContain(`allow GET 127.0.0.1:${port} hosts.allow`);
  expect(s.log()).toContain("deny GET example.com:80 hosts.allow");
});

test("a container whose guard was killed is removed by the next one", async () => {
  const s = await start();
  const left = containers().trim();
  expect(left).toMatch(/^fenzi-\d+-[0-9a-f]+$/);
  s.process.kill("SIGKILL");
  running.pop();
  await once(s.process, "exit");
  const next = await guarded(s);
  running.push(next);
  expect(await comes(() => !containers().includes(left))).toBe(true);
});
