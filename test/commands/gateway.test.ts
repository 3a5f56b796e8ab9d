// `fenzi gateway` from start to end. Its key and its port are new each time, so no golden case can show it.
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import type { HeardSignal } from "../../src/host/host.ts";
import { main } from "../../src/main.ts";
import { gatewayDocument } from "../../schemas/gateway-document.ts";
import { call, post } from "../gateway/client.ts";
import { fakeServer, type FakeServer } from "../gateway/fake-server.ts";
import { until } from "../gateway/until.ts";
import { documentProblems } from "../support/check-document.ts";
import {
  testHost,
  type TestHost,
  type TestHostOptions,
} from "../support/test-host.ts";

const TOKEN = "tok-0c2d94e1a7b35f68";

let server: FakeServer | null = null;
let stop: (() => Promise<unknown>) | null = null;
afterEach(async () => {
  await stop?.();
  await server?.close();
  server = stop = null;
});

const yaml = (url: string, tools: string, more = ""): string =>
  `version: 1\nmcp:\n  demo:\n    url: ${url}\n    token: true\n    tools: ${tools}\n${more}`;

interface Running {
  readonly host: TestHost;
  readonly server: FakeServer;
  readonly ready: ReturnType<typeof gatewayDocument.parse>;
  readonly signal: (name: HeardSignal) => void;
  readonly exit: Promise<number>;
  readonly edit: (text: string) => void;
}

async function start(
  tools: string,
  given: {
    readonly argv?: readonly string[];
    readonly more?: string;
  } & TestHostOptions = {},
): Promise<Running> {
  server = await fakeServer();
  const base = testHost({
    ...given,
    project: {
      "fenzi.yaml": yaml(server.url, tools, given.more),
      ...given.project,
    },
    env: {
      FENZI_VAULT_DEMO: TOKEN,
      FENZI_VAULT_DEMO_URL: server.url,
      ...given.env,
    },
  });
  let signal: (name: HeardSignal) => void = () => {};
  const host: TestHost = {
    ...base,
    onSignal(listen) {
      signal = listen;
      return () => {};
    },
  };
  const exit = main(["gateway", "--trust", ...(given.argv ?? [])], host);
  stop = async () => {
    signal("SIGTERM");
    await exit;
  };
  await until(() => host.out() !== "");
  expect(documentProblems(["gateway"], host.out())).toEqual([]);
  return {
    host,
    server,
    ready: gatewayDocument.parse(JSON.parse(host.out())),
    signal: (name) => signal(name),
    exit,
    edit: (text) => writeFileSync(join(host.cwd, "fenzi.yaml"), text),
  };
}

const urlIn = (text: string): string =>
  /http:\/\/127\.0\.0\.1:\d+\/[\w-]{43}\/demo/.exec(text)?.[0] ?? "";

test("says in one line how each agent is started, and gives each an address of its own", async () => {
  const { host, ready } = await start("{ allow: [read_file] }");
  expect(host.out().split("\n")).toHaveLength(2);
  expect(Object.keys(ready.agents)).toEqual([
    "claude-code",
    "codex",
    "opencode",
    "grok",
  ]);
  const urls = Object.values(ready.agents).map(({ dir }) => {
    expect(statSync(dir).mode & 0o777).toBe(0o700);
    const file =
      ["mcp.json", "config.toml", "opencode.json"]
        .map((name) => join(dir, name))
        .find(existsSync) ?? "";
    const text = readFileSync(file, "utf8");
    expect(text).not.toContain("FENZI_MCP_");
    expect(text).not.toContain(TOKEN);
    return urlIn(text);
  });
  expect(new Set([...urls, ready.servers["demo"]?.url]).size).toBe(5);
});

test("an agent's call is judged, gets the token, and is logged under its name", async () => {
  const { host, ready, server } = await start("{ allow: [read_file] }", {
    argv: ["--agent", "codex"],
  });
  const url = urlIn(
    readFileSync(join(ready.agents["codex"]?.dir ?? "", "config.toml"), "utf8"),
  );
  expect((await post(url, call("read_file"))).status).toBe(200);
  expect((await post(url, call("delete_all"))).status).toBe(403);
  expect(server.received.map((r) => r.headers.authorization)).toEqual([
    `Bearer ${TOKEN}`,
  ]);
  expect(await main(["logs", "--json"], host)).toBe(0);
  const rows = host
    .out()
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(rows).toMatchObject([
    { agent: "codex", effect: "allow", tool: "read_file" },
    { agent: "codex", effect: "deny", tool: "delete_all" },
  ]);
  expect(host.out() + host.err()).not.toContain(TOKEN);
});

test.each(["SIGINT", "SIGTERM"] as const)(
  "%s ends it in good order, and the folders are gone",
  async (name) => {
    const { host, ready, signal, exit } = await start("{ allow: [read_file] }");
    signal(name);
    expect(await exit).toBe(0);
    for (const { dir } of Object.values(ready.agents))
      expect(existsSync(dir)).toBe(false);
    await expect(
      post(ready.servers["demo"]?.url ?? "", call("read_file")),
    ).rejects.toThrow();
    expect(host.out().split("\n")).toHaveLength(2);
  },
);

test("an edit that narrows holds at once; one that widens waits; a broken file changes nothing", async () => {
  const { host, ready, server, signal, edit } = await start(
    "{ allow: [read_file, write_file] }",
  );
  const url = ready.servers["demo"]?.url ?? "";
  const status = async (tool: string) => (await post(url, call(tool))).status;
  const reread = async (text: string, words: string) => {
    const before = host.err().length;
    edit(text);
    signal("SIGHUP");
    await until(() => host.err().slice(before).includes(words));
  };
  expect([await status("read_file"), await status("write_file")]).toEqual([
    200, 200,
  ]);
  await reread(
    yaml(server.url, "{ allow: [read_file] }"),
    "stricter holds now",
  );
  expect([await status("read_file"), await status("write_file")]).toEqual([
    200, 403,
  ]);
  await reread("version: 1\nmcp: [", "have an error");
  expect([await status("read_file"), await status("write_file")]).toEqual([
    200, 403,
  ]);
  await reread(
    yaml(server.url, "{ allow: [read_file, write_file, delete_file] }"),
    "wider waits for a new start",
  );
  expect([
    await status("read_file"),
    await status("write_file"),
    await status("delete_file"),
  ]).toEqual([200, 200, 403]);
  await reread("version: 1\nmcp: {}\n", "stricter holds now");
  expect(await status("read_file")).toBe(403);
  await reread(
    yaml("http://127.0.0.1:1/mcp", "{ allow: [read_file] }"),
    "stricter holds now",
  );
  expect(await status("read_file")).toBe(403);
  await main(["logs"], host);
  expect(host.out().match(/ {2}rules {4}/g)).toHaveLength(5);
});

test("an edit is noticed without a signal", async () => {
  const { host, ready, server, edit } = await start("{ allow: [read_file] }", {
    argv: ["--agent", "grok"],
  });
  edit(yaml(server.url, "{ allow: [read_file], deny: [read_file] }"));
  await until(() => host.err().includes("stricter holds now"));
  expect(
    (await post(ready.servers["demo"]?.url ?? "", call("read_file"))).status,
  ).toBe(403);
});

test("limits of the file hold", async () => {
  const { ready, server } = await start("{ allow: [read_file] }", {
    argv: ["--agent", "grok"],
    more: "    limits: { call: 200ms, request: 1KiB }\n",
  });
  const url = ready.servers["demo"]?.url ?? "";
  server.respond(() => {});
  expect((await post(url, call("read_file"))).status).toBe(504);
  expect(
    (await post(url, call("read_file", { x: "y".repeat(2_000) }))).status,
  ).toBe(413);
});

test("headers of the file are the gateway's to send, with their variables", async () => {
  const { ready, server } = await start("{ allow: [read_file] }", {
    argv: ["--agent", "claude-code"],
    more: '    headers: { X-Team: "team-${TEAM}" }\n',
    env: { TEAM: "seven" },
  });
  expect(
    readFileSync(
      join(ready.agents["claude-code"]?.dir ?? "", "mcp.json"),
      "utf8",
    ),
  ).not.toContain("X-Team");
  await post(ready.servers["demo"]?.url ?? "", call("read_file"));
  expect(server.received[0]?.headers["x-team"]).toBe("team-seven");
});

test("without its token a server is sent nothing, and that is said at the start", async () => {
  const { host, ready, server } = await start("{ allow: [read_file] }", {
    argv: ["--agent", "claude-code"],
    env: { FENZI_VAULT_DEMO: "", FENZI_VAULT_DEMO_URL: "" },
  });
  expect(host.err()).toContain("[gateway/no-token]");
  expect(
    (await post(ready.servers["demo"]?.url ?? "", call("read_file"))).status,
  ).toBe(502);
  expect(server.received).toEqual([]);
});

async function refused(options: TestHostOptions, ...argv: string[]) {
  const host = testHost(options);
  const exit = await main(["gateway", ...argv], host);
  expect(host.out()).toBe("");
  expect(existsSync(join(host.home, ".local/state/fenzi/gateway"))).toBe(false);
  return { exit, err: host.err(), host };
}
const FILE = {
  project: { "fenzi.yaml": yaml("https://a.example/mcp", "{ allow: [x] }") },
};

test("an untrusted project is not served", async () => {
  const { exit, err } = await refused(FILE);
  expect([exit, err.includes("[trust/untrusted]")]).toEqual([1, true]);
});

test("a header's variable that is not set is an error before the start", async () => {
  const { exit, err } = await refused(
    {
      project: {
        "fenzi.yaml": yaml(
          "https://a.example/mcp",
          "{ allow: [x] }",
          '    headers: { X-Team: "${TEAM}" }\n',
        ),
      },
    },
    "--trust",
  );
  expect([exit, err.includes("[gateway/unset]")]).toEqual([1, true]);
});

test("a variable that no header can hold is an error before the start", async () => {
  const { exit, err } = await refused(
    {
      project: {
        "fenzi.yaml": yaml(
          "https://a.example/mcp",
          "{ allow: [x] }",
          '    headers: { X-Team: "${TEAM}" }\n',
        ),
      },
      env: { TEAM: "a\r\nb: c" },
    },
    "--trust",
  );
  expect([exit, err.includes("[gateway/header-value]")]).toEqual([1, true]);
});

test("a folder with something in it is not written into", async () => {
  const { exit, err } = await refused(
    { project: { ...FILE.project, "out/mine": "x" } },
    "--trust",
    "--out",
    "out",
  );
  expect([exit, err.includes("[plan/out-not-ours]")]).toEqual([1, true]);
});

test("only this machine is listened on", async () => {
  for (const address of [
    "0.0.0.0:0",
    "example.com:80",
    "127.0.0.1",
    "127.0.0.1:99999",
  ])
    expect((await refused(FILE, "--trust", "--listen", address)).exit).toBe(2);
});

test("a port that is taken is said to be", async () => {
  const taken = await fakeServer();
  const { exit, err } = await refused(
    FILE,
    "--trust",
    "--listen",
    `127.0.0.1:${new URL(taken.url).port}`,
  );
  await taken.close();
  expect([exit, err.includes("[gateway/cannot-listen]")]).toEqual([3, true]);
});

test("a folder without a file of ours has nothing to serve", async () => {
  const { exit, err } = await refused({});
  expect([exit, err.includes("[read/no-project]")]).toEqual([1, true]);
});

test("what a gateway left that was killed is taken away by the next one", async () => {
  const stale = testHost();
  const left = join(stale.home, ".local/state/fenzi/gateway/999999999");
  stale.files.makeFolder(left, 0o700);
  const { host } = await start("{ allow: [read_file] }", {
    argv: ["--agent", "grok"],
    root: stale.root,
  });
  expect(existsSync(left)).toBe(false);
  expect(host.root).toBe(stale.root);
});
