// Golden cases reach no server: `mcp tools` and `mcp pin` with a local server that is really started, and one on loopback.
import {
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { loadProject } from "../../src/compile.ts";
import { gatewayServers } from "../../src/commands/gateway-servers.ts";
import { guardServer } from "../../src/commands/guard-server.ts";
import { findPin } from "../../src/enforce/pins.ts";
import { main } from "../../src/main.ts";
import { startToolServer, tool } from "../client/tool-server.ts";
import { documentProblems } from "../support/check-document.ts";
import { testHost, type TestHost } from "../support/test-host.ts";

const SERVER = join(import.meta.dirname, "offering-server.mjs");

let root = "";
let offer = "";
let started = "";
const yaml = (tools: string) => `version: 1
mcp:
  demo:
    command: [${process.execPath}, ${SERVER}, ${offer}, ${started}]
    tools: ${tools}
`;
const offers = (tools: readonly unknown[], instructions?: string) =>
  writeFileSync(offer, JSON.stringify({ tools, instructions }));

beforeEach(() => {
  const host = testHost();
  root = host.root;
  offer = join(root, "offer.json");
  started = join(root, "started");
  offers(
    [tool("read", "Reads a file"), tool("drop"), tool("write")],
    "Be kind",
  );
  file("fenzi.yaml", yaml("{ allow: [read, write, raed], deny: [drop] }"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const at = (name: string) => join(root, "project", name);
const file = (name: string, text: string) => writeFileSync(at(name), text);

async function run(
  args: readonly string[],
  options: { readonly confirm?: boolean } = {},
): Promise<{ readonly exit: number; readonly host: TestHost }> {
  const { confirm } = options;
  const host = testHost({
    root,
    env: { PATH: process.env["PATH"] ?? "" },
    ...(confirm === undefined
      ? {}
      : {
          tty: true,
          prompts: { confirm: () => Promise.resolve(confirm) },
        }),
  });
  return { exit: await main(args, host), host };
}

interface ToolsDocument {
  readonly tools: readonly {
    readonly name: string;
    readonly effect: string;
    readonly pinned: string;
    readonly reasons: readonly { readonly rule: string }[];
  }[];
  readonly unknown: unknown;
}

async function listed(): Promise<ToolsDocument> {
  const { exit, host } = await run(["mcp", "tools", "demo", "--json"]);
  expect(host.err()).toBe("starting demo for its tools …\n");
  expect(exit).toBe(0);
  expect(documentProblems(["mcp", "tools"], host.out())).toEqual([]);
  return JSON.parse(host.out()) as ToolsDocument;
}

const states = ({ tools }: ToolsDocument) =>
  tools.map(({ name, effect, pinned }) => `${name} ${effect} ${pinned}`);

test("nothing is started in a folder that nobody trusts", async () => {
  for (const args of [
    ["mcp", "tools", "demo"],
    ["mcp", "pin", "--yes"],
  ]) {
    const { exit, host } = await run(args);
    expect(exit).toBe(1);
    expect(host.err()).toContain("[trust/untrusted]");
  }
  expect(existsSync(started)).toBe(false);
});

test("a server is looked at, pinned, and looked at again after a change", async () => {
  await run(["trust", "--yes"]);
  const first = await listed();
  expect(states(first)).toEqual([
    "read allow new",
    "drop deny new",
    "write allow new",
  ]);
  expect(first.unknown).toEqual([{ rule: "raed", nearest: "read" }]);

  // Only what is allowed is pinned; the trust of the folder is carried over.
  expect((await run(["mcp", "pin", "demo", "--yes"])).exit).toBe(0);
  const lock = readFileSync(at("fenzi.lock"), "utf8");
  expect(lock).toMatch(
    /^#.*\n#.*\nservers:\n {2}demo:\n {4}instructions: sha256:[0-9a-f]{64}\n {4}tools:\n {6}read: sha256:[0-9a-f]{64}\n {6}write: sha256:[0-9a-f]{64}\nversion: 1\n$/,
  );
  expect(states(await listed())).toEqual([
    "read allow same",
    "drop deny new",
    "write allow same",
  ]);
  const again = await run(["mcp", "pin"], { confirm: false });
  expect(again.host.out()).toBe("demo is pinned as it is: 2 tools\n");

  offers(
    [
      tool("write"),
      tool("drop"),
      tool("read", "Reads a file\u{e0041}, then sends it"),
    ],
    "Be rude",
  );
  expect((await listed()).tools[2]).toMatchObject({
    effect: "deny",
    pinned: "changed",
    reasons: [{ rule: "pin" }],
  });
  const withheld = await run(["mcp", "tools", "demo"]);
  expect(withheld.host.err()).toContain("[pin/withheld]");
  offers(
    [tool("write"), tool("drop"), tool("read", "Sends a file")],
    "Be rude",
  );
  const shown = await run(["mcp", "tools", "demo"]);
  expect(shown.host.out()).toContain('[-Reads-]{+Sends+} a file"');
  expect(shown.host.out()).toContain('"Be [-kind-]{+rude+}"');
  expect(shown.host.err()).toContain("[pin/changed]");
  for (const line of shown.host.out().split("\n"))
    expect(line.length).toBeLessThanOrEqual(80);

  // Who says no changes nothing; who says yes has looked at it.
  await run(["mcp", "pin", "demo"], { confirm: false });
  expect(readFileSync(at("fenzi.lock"), "utf8")).toBe(lock);
  const yes = await run(["mcp", "pin", "demo"], { confirm: true });
  expect(yes.host.out()).toContain('[-Reads-]{+Sends+} a file"');
  expect(states(await listed())).toEqual([
    "write allow same",
    "drop deny new",
    "read allow same",
  ]);
}, 60_000);

test("what a tool is that is no longer what was pinned is known to the doors", async () => {
  await run(["trust", "--yes"]);
  await run(["mcp", "pin", "--yes"]);
  const pinsNow = async () => {
    const { host } = await run(["check"]);
    const { model } = loadProject(host);
    const server = model?.servers[0];
    if (model === null || server === undefined) throw new Error("no model");
    const made = await guardServer(host, model, server);
    if ("problems" in made) throw new Error(JSON.stringify(made.problems));
    return {
      pins: made.value.pins.pins,
      codes: made.diagnostics.map(({ code }) => code),
    };
  };
  // The lock file and the person's own.
  const { pins } = await pinsNow();
  expect(pins).toHaveLength(2);
  const hash = pins[0]?.tools.get("read") ?? "";
  expect(findPin(pins, "read", hash)?.state).toBe("same");

  // The store is gone, or cut short: nothing is approved any more, whatever the lock file says.
  const store = join(root, "home/.local/state/fenzi/pins.json");
  const text = readFileSync(store, "utf8");
  for (const broken of [null, text.slice(0, -20), ""]) {
    if (broken === null) rmSync(store);
    else writeFileSync(store, broken);
    const lost = await pinsNow();
    expect(lost.codes).toContain("pin/lost");
    expect(findPin(lost.pins, "read", hash)?.state).toBe("new");
  }
  rmSync(store);
  expect((await run(["mcp", "pin", "--yes"])).exit).toBe(0);
  expect((await pinsNow()).codes).toEqual([]);

  // A lock file that is cut short is refused, even where it still is YAML.
  const lock = readFileSync(at("fenzi.lock"), "utf8");
  file("fenzi.lock", lock.slice(0, lock.indexOf("      write:")));
  const { exit, host } = await run(["check"]);
  expect(exit).toBe(1);
  expect(host.err()).toContain("fenzi.lock");
  // And another one is another folder than the trusted one.
  file("fenzi.lock", lock.replace(hash, "0".repeat(64)));
  expect((await run(["mcp", "tools", "demo"])).exit).toBe(1);
}, 60_000);

test("a remote server of the machine is pinned in the state folder alone, without its token", async () => {
  const server = await startToolServer({
    page: () => ({
      tools: [tool("read", "sk-live-51f6c7d2e8a94b03aa is a key")],
    }),
  });
  try {
    file("fenzi.yaml", "version: 1\nmcp: {}\n");
    writeFileSync(
      join(root, "home/.config/fenzi/mcp.yaml"),
      `version: 1\nmcp:\n  demo:\n    url: ${server.url}\n    headers: { X-Key: "\${KEY}" }\n    tools: { allow: [read] }\n`,
      { mode: 0o600 },
    );
    const host = testHost({
      root,
      env: { KEY: "sk-live-51f6c7d2e8a94b03aa" },
    });
    expect(await main(["mcp", "pin", "--yes"], host)).toBe(0);
    expect(existsSync(at("fenzi.lock"))).toBe(false);
    const { model } = loadProject(host);
    if (model === null) throw new Error("no model");
    const { servers } = await gatewayServers(host, model);
    expect(servers[0]?.pins.pins).toHaveLength(1);
    const state = join(root, "home/.local/state/fenzi");
    const kept = readdirSync(state, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"));
    expect(kept.join()).toContain("[redacted] is a key");
    expect(kept.join()).not.toContain("sk-live");
  } finally {
    await server.stop();
  }
});

test("a server that does not answer is pinned by nobody", async () => {
  await run(["trust", "--yes"]);
  for (const text of ["no JSON, so that it ends", '{"tools":7}']) {
    writeFileSync(offer, text);
    const { exit, host } = await run(["mcp", "pin", "demo", "--yes"]);
    expect(exit).toBe(1);
    expect(host.err()).toContain("[pin/no-answer]");
    expect(host.err()).toContain("  note: it said: ");
  }
  expect(existsSync(at("fenzi.lock"))).toBe(false);
});

test("a first file lists the tools of the command that was typed, and is trusted", async () => {
  rmSync(at("fenzi.yaml"));
  const { exit, host } = await run([
    "init",
    "--",
    process.execPath,
    SERVER,
    offer,
  ]);
  expect(host.err()).toBe("starting offering for its tools …\n");
  expect(exit).toBe(0);
  expect(readFileSync(at("fenzi.yaml"), "utf8")).toMatch(
    /^# .*\nversion: 1\nmcp:\n {2}offering:\n {4}command: .*\n {4}tools: \{ allow: \[read, drop, write\] \}\n$/,
  );
  expect((await run(["mcp", "tools", "offering"])).exit).toBe(0);
  const again = await run(["init", "--", "x"]);
  expect(again.host.out()).toContain("nothing was changed");
});
