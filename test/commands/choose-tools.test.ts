// The checklist of `mcp add`, against a real server on loopback: a golden case reaches no network.
import { afterEach, expect, test } from "vitest";
import {
  startToolServer,
  tool,
  type ToolServer,
  type ToolServerOptions,
} from "../client/tool-server.ts";
import type { Prompts } from "../../src/host/host.ts";
import { run } from "./run.ts";

let server: ToolServer | null = null;
afterEach(async () => {
  await server?.stop();
  server = null;
});

const page = () => ({
  tools: [tool("read"), tool("write"), tool("bad*name"), tool("sn\u200beaky")],
});

async function add(
  options: ToolServerOptions,
  flags: readonly string[],
  prompts: Partial<Prompts>,
  env: Readonly<Record<string, string>> = {},
) {
  server = await startToolServer({ page, ...options });
  return run(["mcp", "add", "x", server.url, ...flags], {
    tty: true,
    prompts,
    env,
  });
}

test("offers the tools and writes those that were ticked", async () => {
  let offered: readonly { readonly name: string; readonly value: string }[] =
    [];
  const ran = await add({}, [], {
    choose: async (_, choices) => {
      offered = choices;
      return ["read", "sn\u200beaky"];
    },
  });
  expect(offered.map((c) => [c.name, c.value])).toEqual([
    ["read", "read"],
    ["write", "write"],
    ["sn\\u{200b}eaky", "sn\u200beaky"],
  ]);
  expect(ran.exit).toBe(0);
  expect(ran.file()).toContain('tools: { allow: [read, "sn\u200beaky"] }');
  expect(ran.out).toContain("sn\\u{200b}eaky");
  expect(ran.err).toContain("1 left out");
});

test("writes nothing when none was ticked", async () => {
  const ran = await add({}, [], { choose: async () => [] });
  expect(ran.exit).toBe(1);
  expect(ran.err).toContain("no tool was chosen\nnothing was written\n");
  expect(ran.file()).toBe(null);
});

test("a token that was typed is used to ask, and is never written", async () => {
  const ran = await add({ token: "t-1-secret" }, ["--token"], {
    password: async () => "t-1-secret",
    choose: async () => ["read"],
  });
  // Without a keychain the token cannot be kept; the file is written all the same.
  expect(ran.exit).toBe(3);
  expect(ran.err).toContain("[vault/no-keychain]");
  expect(ran.file()).toContain("token: true");
  expect(ran.file() + ran.out + ran.err).not.toContain("t-1-secret");
});

test("a token from the environment is used to ask", async () => {
  server = await startToolServer({ page, token: "t-2-secret" });
  const ran = await run(
    ["mcp", "add", "x", server.url, "--token", "--machine"],
    {
      machine: "version: 1\n",
      tty: true,
      prompts: { password: async () => "", choose: async () => ["read"] },
      env: { FENZI_VAULT_X: "t-2-secret" },
    },
  );
  expect(ran.exit).toBe(0);
  expect(ran.err).not.toContain("no token");
});

test("a token that cannot be one is refused before anything is written", async () => {
  const ran = await add({}, ["--token"], { password: async () => "two words" });
  expect(ran.exit).toBe(1);
  expect(ran.err).toContain("[vault/bad-token]");
  expect(ran.err).not.toContain("two words");
  expect(ran.file()).toBe(null);
});

test("says that the server wants a token", async () => {
  const ran = await add({ token: "t" }, [], {});
  expect(ran.exit).toBe(3);
  expect(ran.err).toContain("it wants a token");
  expect(ran.err).toContain("give `--token`");
  expect(ran.file()).toBe(null);
});

test("references in headers are taken from the environment", async () => {
  const flags = ["--header", "X-Team: ${TEAM}"];
  const unset = await add({}, flags, {});
  expect(unset.exit).toBe(3);
  expect(unset.err).toContain("needs the variable `TEAM`, which is not set");
  expect(server?.requests()).toEqual([]);
  await server?.stop();
  const ran = await add(
    {},
    flags,
    { choose: async () => ["read"] },
    { TEAM: "red" },
  );
  expect(ran.exit).toBe(0);
  expect(server?.requests()[0]?.headers["x-team"]).toBe("red");
  expect(ran.file()).toContain("${TEAM}");
});

test("everything else is checked before the server is asked", async () => {
  server = await startToolServer({ page });
  const ran = await run(["mcp", "add", "x", server.url], {
    tty: true,
    project: { "fenzi.yaml": "version: 1\nmcp:\n  X: { command: [y] }\n" },
  });
  expect(ran.exit).toBe(1);
  expect(ran.err).toContain("[merge/name-taken]");
  expect(server.requests()).toEqual([]);
});

test("Ctrl-C at the checklist writes nothing", async () => {
  const ran = await add({}, [], {
    choose: async () => {
      throw Object.assign(new Error("closed"), { name: "ExitPromptError" });
    },
  });
  expect(ran.exit).toBe(3);
  expect(ran.err).toContain("nothing was changed");
  expect(ran.file()).toBe(null);
});

test("without a checklist and a keychain no token is asked for", async () => {
  const ran = await run(
    ["mcp", "add", "x", "https://x.example/mcp", "--token", "--tool", "a"],
    { tty: true },
  );
  expect(ran.exit).toBe(0);
  expect(ran.err).toContain("warning: there is no keychain");
  expect(ran.err).toContain("FENZI_VAULT_X");
  expect(ran.file()).toContain("token: true");
});
