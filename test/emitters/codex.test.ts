// What Codex is told. That the real program understands it so is shown by `npm run test:agents`.
import { parse } from "@iarna/toml";
import { expect, test } from "vitest";
import { codex } from "../../emitters/codex/index.ts";
import type { Delivered } from "../../src/model/delivered.ts";
import type { Json } from "../../src/model/model.ts";
import {
  contextWith,
  httpServer,
  spanAt,
  stdioServer,
} from "../support/delivered-servers.ts";

const emit = (servers: readonly Delivered[], settings: Json = {}) =>
  codex.emit(servers, contextWith(settings));

const config = (servers: readonly Delivered[], settings?: Json) =>
  parse(emit(servers, settings).files[0]?.text ?? "") as Record<
    string,
    Record<string, Record<string, unknown>>
  >;
const server = (one: Delivered) => config([one])["mcp_servers"]?.[one.name];

const always = { required: true, default_tools_approval_mode: "approve" };

test("a remote server has its URL and headers, and variables by name", () => {
  const remote = httpServer("linear", {
    headers: { "X-Team": "a b", "X-From": "${FROM}" },
    token: {
      scheme: "bearer",
      header: "Authorization",
      variable: "FENZI_MCP_LINEAR",
    },
    filter: { everything: true },
  });
  expect(server(remote)).toEqual({
    ...always,
    url: "https://linear.example.com/mcp",
    bearer_token_env_var: "FENZI_MCP_LINEAR",
    http_headers: { "X-Team": "a b" },
    env_http_headers: { "X-From": "FROM" },
  });
  expect(emit([remote]).launch.needs).toEqual([
    "CODEX_API_KEY",
    "FENZI_MCP_LINEAR",
    "FROM",
  ]);
});

test("a token in a header of its own comes from its variable", () => {
  const token = {
    scheme: "header",
    header: "X-Api-Key",
    variable: "FENZI_MCP_GW",
  } as const;
  expect(server(httpServer("gw", { token }))).toMatchObject({
    env_http_headers: { "X-Api-Key": "FENZI_MCP_GW" },
  });
});

test("a local server has its command and environment; a variable is passed on by name", () => {
  expect(
    server(
      stdioServer("db", {
        command: ["uvx", "mcp", ""],
        env: { MODE: "ro", KEY: "${KEY}", A: "${A}" },
        filter: { everything: true },
      }),
    ),
  ).toEqual({
    ...always,
    command: "uvx",
    args: ["mcp", ""],
    env: { MODE: "ro" },
    env_vars: ["A", "KEY"],
  });
});

test("a folder is written when it is not the project's", () => {
  const cwd = { path: "/state/servers/s", why: "own" } as const;
  expect(server(stdioServer("s", { cwd }))).toMatchObject({ cwd: cwd.path });
  expect(server(stdioServer("s"))).not.toHaveProperty("cwd");
});

test("nothing is expanded, so everything is written as it is", () => {
  const odd = "$HOME $${X} {env:A} \u0001\n\"'\\ é 😀 ";
  const text = odd.replaceAll("$", "$$$$");
  expect(
    server(stdioServer("s", { command: ["p", text], env: { A: text } })),
  ).toMatchObject({ args: [odd], env: { A: odd } });
});

test("a reference that is not just a variable of that name is refused, at its place", () => {
  const { diagnostics } = emit([
    httpServer("r", { headers: { A: "Basic ${B}", C: "é", D: "${E}" } }),
    stdioServer("l", {
      command: ["${P}", "--key=${K}"],
      env: { A: "${B}", C: "${C}", D: "x${D}" },
    }),
  ]);
  expect(diagnostics.map(({ code, at }) => [code, at])).toEqual([
    ["deliver/reference-not-supported", spanAt(10)],
    ["deliver/unescapable", spanAt(11)],
    ["deliver/reference-not-supported", spanAt(20)],
    ["deliver/reference-not-supported", spanAt(21)],
    ["deliver/reference-not-supported", spanAt(30)],
    ["deliver/reference-not-supported", spanAt(32)],
  ]);
  expect(diagnostics[4]?.message).toBe(
    'codex does not expand `${B}` here; a variable is passed on under its own name, as in `A: "${A}"`',
  );
});

test("a variable that Codex is started with is not the caller's", () => {
  const value = { CODEX_HOME: "${CODEX_HOME}" };
  expect(
    emit([
      httpServer("r", { headers: { A: "${CODEX_HOME}" } }),
      stdioServer("l", { env: value }),
    ]).diagnostics.map(({ code, at }) => [code, at]),
  ).toEqual([
    ["deliver/reference-not-supported", spanAt(10)],
    ["deliver/reference-not-supported", spanAt(30)],
  ]);
});

test("a list of tools is exact names, in the server's own spelling", () => {
  const filter = { allow: ["b.c", "a"], ask: ["d", "a"], deny: ["x"] };
  expect(server(httpServer("gw", { filter }))).toMatchObject({
    enabled_tools: ["a", "b.c", "d"],
    disabled_tools: ["x"],
    tools: { a: { approval_mode: "prompt" }, d: { approval_mode: "prompt" } },
  });
});

test("a filter that allows nothing is an empty list, and one that allows everything is none", () => {
  expect(server(httpServer("gw"))).toMatchObject({ enabled_tools: [] });
  const filter = { everything: true, ask: ["a.b"], deny: ["c"] };
  const all = server(httpServer("gw", { filter }));
  expect(all).not.toHaveProperty("enabled_tools");
  expect(all).toMatchObject({
    disabled_tools: ["c"],
    tools: { "a.b": { approval_mode: "prompt" } },
  });
});

test("nothing else loads: the project and its repository are untrusted, what brings servers along is off", () => {
  const { files } = codex.emit([], {
    ...contextWith(),
    project: "/a b/sub",
    repository: "/a b",
  });
  expect(parse(files[0]?.text ?? "")).toEqual({
    features: {
      apps: false,
      daemon_auto_start: false,
      plugins: false,
      skill_mcp_dependency_install: false,
    },
    mcp_servers: {},
    projects: {
      "/a b": { trust_level: "untrusted" },
      "/a b/sub": { trust_level: "untrusted" },
    },
  });
});

test("the machine's settings lie under ours", () => {
  const settings = { model: "m", features: { memories: true, apps: true } };
  expect(config([], settings)).toMatchObject({
    model: "m",
    features: { memories: true, apps: false },
  });
  expect(codex.reserved).toContain("features.apps");
});

test("the model's key comes from the provider that the settings choose", () => {
  const needs = (settings: Json) => emit([], settings).launch.needs;
  expect(needs({})).toEqual(["CODEX_API_KEY"]);
  expect(needs({ model_provider: "openai" })).toEqual(["CODEX_API_KEY"]);
  expect(needs({ model_provider: "local" })).toEqual([]);
  expect(
    needs({ model_provider: "x", model_providers: { x: { env_key: "K" } } }),
  ).toEqual(["K"]);
});

test("it is started with the compiled folder as its home", () => {
  expect(emit([]).launch).toEqual({
    argv: ["codex"],
    env: { CODEX_HOME: "/out/agent" },
    needs: ["CODEX_API_KEY"],
    cwd: "/project",
  });
});
