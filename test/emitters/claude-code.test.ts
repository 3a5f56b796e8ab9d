// What Claude Code is told. That the real program understands it so is shown by `npm run test:agents`.
import { expect, test } from "vitest";
import { claudeCode } from "../../emitters/claude-code/index.ts";
import type { Json } from "../../src/model/model.ts";
import type { Delivered } from "../../src/model/delivered.ts";
import {
  contextWith,
  httpServer,
  spanAt,
  stdioServer,
} from "../support/delivered-servers.ts";

const emit = (servers: readonly Delivered[], settings: Json = {}) =>
  claudeCode.emit(servers, contextWith(settings));

function file(servers: readonly Delivered[], path: string, settings?: Json) {
  const found = emit(servers, settings).files.find((f) => f.path === path);
  return JSON.parse(found?.text ?? "null");
}

const servers = (...list: readonly Delivered[]) =>
  file(list, "mcp.json").mcpServers;
const rules = (...list: readonly Delivered[]) =>
  file(list, "settings.json").permissions;

test("a remote server has its type, URL, headers and a placeholder for the token", () => {
  const server = httpServer("linear", {
    headers: { "X-Team": "a ${TEAM} b" },
    token: {
      scheme: "bearer",
      header: "Authorization",
      variable: "FENZI_MCP_LINEAR",
    },
  });
  expect(servers(server)).toEqual({
    linear: {
      type: "http",
      url: "https://linear.example.com/mcp",
      headers: {
        "X-Team": "a ${TEAM} b",
        Authorization: "Bearer ${FENZI_MCP_LINEAR}",
      },
    },
  });
  expect(emit([server]).launch.needs).toEqual([
    "ANTHROPIC_API_KEY",
    "FENZI_MCP_LINEAR",
    "TEAM",
  ]);
});

test("a token in a header of its own stands there alone", () => {
  const token = {
    scheme: "header",
    header: "X-Api-Key",
    variable: "FENZI_MCP_GW",
  } as const;
  expect(servers(httpServer("gw", { token })).gw.headers).toEqual({
    "X-Api-Key": "${FENZI_MCP_GW}",
  });
});

test("a local server has its command, arguments and environment", () => {
  expect(
    servers(
      stdioServer("db", {
        command: ["uvx", "mcp", "--key=${DB_KEY}"],
        env: { MODE: "ro", KEY: "${DB_KEY}" },
      }),
    ),
  ).toEqual({
    db: {
      type: "stdio",
      command: "uvx",
      args: ["mcp", "--key=${DB_KEY}"],
      env: { MODE: "ro", KEY: "${DB_KEY}" },
    },
  });
});

test("a literal `${` is the default of a variable that is never set, twice in a header", () => {
  const local = stdioServer("l", { command: ["p", "$${A} $$${B}"] });
  expect(servers(local).l.args).toEqual(["${FENZI_UNSET:-$}{A} $${B}"]);
  const remote = httpServer("r", { headers: { X: "$${A}" } });
  expect(servers(remote).r.headers.X).toBe(
    "${FENZI_UNSET:-$}{FENZI_UNSET:-$}{A}",
  );
});

test("rules name the tool as Claude Code composes it", () => {
  const filter = {
    allow: ["a.b", "read_*", "né"],
    ask: ["write"],
    deny: ["*_admin"],
  };
  expect(rules(httpServer("gw-1", { filter }))).toEqual({
    allow: ["mcp__gw-1__a_b", "mcp__gw-1__read_*", "mcp__gw-1__n_"],
    ask: ["mcp__gw-1__write"],
    deny: ["mcp__gw-1__*_admin"],
  });
});

test("everything is the server's name alone", () => {
  expect(
    rules(httpServer("gw", { filter: { everything: true, deny: ["x"] } })),
  ).toEqual({ allow: ["mcp__gw"], ask: [], deny: ["mcp__gw__x"] });
});

test("the machine's settings lie under ours", () => {
  const settings = file([], "settings.json", { theme: "dark" });
  expect(settings).toEqual({
    theme: "dark",
    permissions: { allow: [], ask: [], deny: [] },
  });
});

test("it is started with these servers and rules alone", () => {
  expect(emit([]).launch).toEqual({
    argv: [
      "claude",
      "--strict-mcp-config",
      "--mcp-config",
      "/out/agent/mcp.json",
      "--settings",
      "/out/agent/settings.json",
      "--setting-sources=",
    ],
    env: {
      CLAUDE_CODE_MCP_ALLOWLIST_ENV: "1",
      CLAUDE_CONFIG_DIR: "/out/agent/home",
      ENABLE_TOOL_SEARCH: "false",
    },
    needs: ["ANTHROPIC_API_KEY"],
    cwd: "/project",
  });
});

test("a given folder is an error", () => {
  const cwd = { path: "/srv", why: "given" } as const;
  expect(emit([stdioServer("a", { cwd })]).diagnostics).toMatchObject([
    { code: "deliver/cwd-not-supported", severity: "error", at: spanAt(40) },
  ]);
});

test("a default folder that is not held is one warning for the agent", () => {
  const own = { path: "/state/servers/a", why: "own" } as const;
  const elsewhere = { path: "/repository", why: "home" } as const;
  expect(
    emit([
      stdioServer("home"),
      stdioServer("a", { cwd: own }),
      stdioServer("b", { cwd: elsewhere }),
    ]).diagnostics.map((d) => [d.code, d.message.includes("`a`")]),
  ).toEqual([["deliver/cwd-not-held", true]]);
  expect(emit([stdioServer("b", { cwd: elsewhere })]).diagnostics).toHaveLength(
    1,
  );
  expect(emit([stdioServer("home")]).diagnostics).toEqual([]);
});

test("a variable that Claude Code drops is refused", () => {
  const env = Object.fromEntries([["__proto__", "x"]]);
  expect(emit([stdioServer("a", { env })]).diagnostics).toMatchObject([
    { code: "deliver/unescapable", at: spanAt(30) },
  ]);
});
