// What OpenCode is told. That the real program understands it so is shown by `npm run test:agents`.
import { expect, test } from "vitest";
import { opencode } from "../../emitters/opencode/index.ts";
import type { Delivered } from "../../src/model/delivered.ts";
import type { Json } from "../../src/model/model.ts";
import {
  contextWith,
  httpServer,
  spanAt,
  stdioServer,
} from "../support/delivered-servers.ts";

const emit = (servers: readonly Delivered[], settings: Json = {}) =>
  opencode.emit(servers, contextWith(settings));
const text = (servers: readonly Delivered[], settings?: Json) =>
  emit(servers, settings).files[0]?.text ?? "";
const config = (servers: readonly Delivered[], settings?: Json) =>
  JSON.parse(text(servers, settings));

test("a remote server has its type, URL, headers and a placeholder for the token", () => {
  const server = httpServer("linear", {
    headers: { "X-Team": "a ${TEAM} b" },
    token: {
      scheme: "bearer",
      header: "Authorization",
      variable: "FENZI_MCP_LINEAR",
    },
  });
  expect(config([server]).mcp).toEqual({
    linear: {
      type: "remote",
      url: "https://linear.example.com/mcp",
      oauth: false,
      headers: {
        "X-Team": "a {env:TEAM} b",
        Authorization: "Bearer {env:FENZI_MCP_LINEAR}",
      },
    },
  });
  expect(emit([server]).launch.needs).toEqual([
    "ANTHROPIC_API_KEY",
    "FENZI_MCP_LINEAR",
    "TEAM",
  ]);
});

test("a local server has its command, environment, and a folder that is not the project", () => {
  const env = { MODE: "ro", KEY: "${DB_KEY}" };
  const own = { path: "/state/servers/db", why: "own" } as const;
  const given = { path: "/project", why: "given" } as const;
  expect(
    config([
      stdioServer("db", { command: ["uvx", "mcp"], env, cwd: own }),
      stdioServer("given", { cwd: given }),
      stdioServer("home"),
    ]).mcp,
  ).toEqual({
    db: {
      type: "local",
      command: ["uvx", "mcp"],
      cwd: "/state/servers/db",
      environment: { MODE: "ro", KEY: "{env:DB_KEY}" },
    },
    given: { type: "local", command: ["program"], cwd: "/project" },
    home: { type: "local", command: ["program"] },
  });
});

test("what OpenCode would replace in the text is escaped, and only that", () => {
  const command = ["p", "{env:A} {file:/x} ${A} $${A} {a} \\{env:B}"];
  const printed = text([stdioServer("s", { command })]);
  expect(printed).toContain(
    '"\\u007benv:A} \\u007bfile:/x} {env:A} ${A} {a} \\\\\\u007benv:B}"',
  );
});

test("everything else in a value survives the printing", () => {
  const odd = "\u0001\u001b\u007f\u2028\u202e\ufeff\u{1f468}\u200dé\"'\\\n\t";
  const printed = text([stdioServer("s", { command: ["p", odd] })]);
  expect(JSON.parse(printed).mcp.s.command[1]).toBe(odd);
  expect(printed).not.toMatch(/[^\n\P{Cc}]|\p{Cf}|\p{Zl}/u);
});

test("rules are ordered: the server, then allow, ask, deny", () => {
  const filter = {
    allow: ["a", "a.b", "read_*"],
    ask: ["a"],
    deny: ["read_secret", "a"],
  };
  expect(
    Object.entries(config([httpServer("gw", { filter })]).permission),
  ).toEqual([
    ["gw_*", "deny"],
    ["gw_a_b", "allow"],
    ["gw_read_*", "allow"],
    ["gw_read_secret", "deny"],
    ["gw_a", "deny"],
  ]);
  expect(
    config([httpServer("gw", { filter: { everything: true } })]).permission,
  ).toEqual({ "gw_*": "allow" });
});

test("a server whose name begins one of OpenCode's own rules does not change that rule", () => {
  const filter = { everything: true };
  expect(
    Object.entries(config([httpServer("external", { filter })]).permission),
  ).toEqual([
    ["external_*", "allow"],
    ["external_directory", "ask"],
  ]);
});

test("the machine's settings lie under ours, with their own substitutions", () => {
  const settings = {
    model: "openai/x",
    provider: { openai: { options: { baseURL: "{env:BASE}" } } },
  };
  const printed = text([httpServer("gw")], settings);
  expect(printed).toContain('"baseURL": "{env:BASE}"');
  expect(Object.keys(JSON.parse(printed))).toEqual([
    "model",
    "provider",
    "$schema",
    "mcp",
    "permission",
  ]);
  expect(emit([], settings).launch.needs).toEqual(["BASE", "OPENAI_API_KEY"]);
});

test("the model's key comes from the provider, unless the settings hold it", () => {
  const needs = (settings: Json) => emit([], settings).launch.needs;
  expect(needs({})).toEqual(["ANTHROPIC_API_KEY"]);
  expect(needs({ model: "loop/x" })).toEqual([]);
  expect(
    needs({
      model: "anthropic/x",
      provider: { anthropic: { options: { apiKey: "{env:KEY}" } } },
    }),
  ).toEqual(["KEY"]);
});

test("it is started with a home of its own and this file alone", () => {
  expect(emit([]).launch).toEqual({
    argv: ["opencode"],
    env: {
      HOME: "/out/agent/home",
      OPENCODE_CONFIG: "/out/agent/opencode.json",
      OPENCODE_CONFIG_CONTENT: "",
      OPENCODE_CONFIG_DIR: "/out/agent/home/.config/opencode",
      OPENCODE_DISABLE_EXTERNAL_SKILLS: "1",
      OPENCODE_DISABLE_PROJECT_CONFIG: "1",
      OPENCODE_PERMISSION: "",
      XDG_CACHE_HOME: "/out/agent/home/.cache",
      XDG_CONFIG_HOME: "/out/agent/home/.config",
      XDG_DATA_HOME: "/out/agent/home/.local/share",
      XDG_STATE_HOME: "/out/agent/home/.local/state",
    },
    needs: ["ANTHROPIC_API_KEY"],
    cwd: "/project",
  });
});

test("what would not arrive is refused, at its place", () => {
  const env = Object.fromEntries([["__proto__", "x"]]);
  expect(
    emit([
      httpServer("r", { headers: { A: "plain", B: "é" } }),
      stdioServer("l", { env }),
    ]).diagnostics.map((d) => [d.code, d.at]),
  ).toEqual([
    ["deliver/unescapable", spanAt(11)],
    ["deliver/unescapable", spanAt(30)],
  ]);
});
