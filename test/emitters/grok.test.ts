// What Grok is told. That the real program understands it so is shown by `npm run test:agents`.
import { parse } from "@iarna/toml";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { grok } from "../../emitters/grok/index.ts";
import { othersThan } from "../../emitters/grok/others-than.ts";
import type { Delivered } from "../../src/model/delivered.ts";
import type { Json } from "../../src/model/model.ts";
import {
  contextWith,
  httpServer,
  spanAt,
  stdioServer,
} from "../support/delivered-servers.ts";

const emit = (servers: readonly Delivered[], settings: Json = {}) =>
  grok.emit(servers, contextWith(settings));

const read = (servers: readonly Delivered[], path: string, settings?: Json) =>
  parse(
    emit(servers, settings).files.find((f) => f.path === path)?.text ?? "",
  ) as Record<string, Record<string, Record<string, unknown>>>;
const server = (one: Delivered) =>
  read([one], "config.toml")["mcp_servers"]?.[one.name];
const listed = (...servers: readonly Delivered[]) =>
  read(servers, "requirements.toml")["allowed_mcp_servers"];
const rules = (...servers: readonly Delivered[]) =>
  read(servers, "requirements.toml")["permission"];

const bearer = {
  scheme: "bearer",
  header: "Authorization",
  variable: "FENZI_MCP_LINEAR",
} as const;

test("a remote server has its URL and headers, and the token by its variable", () => {
  const remote = httpServer("linear", {
    headers: { "X-Team": "a ${TEAM} $5" },
    token: bearer,
  });
  expect(server(remote)).toEqual({
    url: "https://linear.example.com/mcp",
    bearer_token_env_var: "FENZI_MCP_LINEAR",
    headers: { "X-Team": "a ${TEAM} $$$$5" },
  });
  expect(emit([remote]).launch.needs).toEqual([
    "FENZI_MCP_LINEAR",
    "TEAM",
    "XAI_API_KEY",
  ]);
});

test("a token in a header of its own stands there alone", () => {
  const token = { ...bearer, scheme: "header", header: "X-Api-Key" } as const;
  expect(server(httpServer("gw", { token }))).toMatchObject({
    headers: { "X-Api-Key": "${FENZI_MCP_LINEAR}" },
  });
});

test("a local server has what is written, inherits a variable of the same name, and gets no key or token", () => {
  const servers = [
    httpServer("linear", { token: bearer }),
    stdioServer("db", {
      command: ["uvx", "${TOOL}", "$$HOME"],
      env: { MODE: "ro", KEY: "${KEY}", B: "${A}" },
    }),
    stdioServer("own", { env: { XAI_API_KEY: "${XAI_API_KEY}" } }),
  ];
  const { db, own } = read(servers, "config.toml")["mcp_servers"] ?? {};
  expect(db).toEqual({
    command: "uvx",
    args: ["${TOOL}", "$$$$HOME"],
    env: { MODE: "ro", B: "${A}", FENZI_MCP_LINEAR: "", XAI_API_KEY: "" },
  });
  expect(own).toEqual({
    command: "program",
    args: [],
    env: { FENZI_MCP_LINEAR: "" },
  });
});

test("the allow list says each server as Grok compares it: URLs without query, words expanded once less", () => {
  expect(
    listed(
      httpServer("a", { url: "https://a.example/m$x/[b]*?c=d" }),
      httpServer("b", { url: "http://[::1]:81/" }),
      stdioServer("c", { command: ["p", "$$HOME ${X}"] }),
    ),
  ).toEqual([
    { server_url: "https://a.example/m$$x/[[]b[]][*]" },
    { server_url: "http://[::1]:81/" },
    { server_command: ["p", "$$HOME ${X}"] },
  ]);
  expect(listed()).toEqual([]);
});

test("rules name server and tool; what is not listed is refused", () => {
  const filter = { allow: ["ab", "a.b"], ask: ["ab", "c_*"], deny: ["*_x"] };
  expect(rules(httpServer("gw", { filter }))).toEqual({
    allow: ["MCPTool(gw__ab)"],
    ask: ["MCPTool(gw__ab)", "MCPTool(gw__c_*)"],
    deny: [
      "MCPTool(gw__*_x)",
      ...othersThan(["ab", "c_*"]).patterns.map((p) => `MCPTool(gw__${p})`),
    ],
  });
});

test("everything, and nothing", () => {
  const filter = { everything: true, ask: ["a"], deny: ["b_*"] };
  expect(rules(httpServer("gw", { filter }))).toEqual({
    allow: ["MCPTool(gw__*)"],
    ask: ["MCPTool(gw__a)"],
    deny: ["MCPTool(gw__b_*)"],
  });
  expect(rules(httpServer("gw"))).toEqual({
    allow: [],
    ask: [],
    deny: ["MCPTool(gw__?*)"],
  });
});

test("of two names that Grok cannot tell apart the second is left out, with a warning", () => {
  const one = httpServer("gw", { filter: { allow: ["Issue_a", "issue_b"] } });
  expect(rules(one)?.["allow"]).toEqual(["MCPTool(gw__Issue_a)"]);
  expect(emit([one]).diagnostics.map(({ code, at }) => [code, at])).toEqual([
    ["deliver/tools-left-out", spanAt(1)],
  ]);
});

test("the policy holds everything else too, and stays", () => {
  expect(read([], "requirements.toml")).toMatchObject({
    fail_closed: true,
    allow_managed_hooks_only: true,
    allow_managed_mcp_servers_only: true,
    managed_mcps: { enabled: false, gateway_tools_enabled: false },
  });
});

test("what would not arrive, or not be held, is said at its place", () => {
  const given = { path: "/x", why: "given" } as const;
  const own = { path: "/y", why: "own" } as const;
  expect(
    emit([
      httpServer("r", {
        headers: {
          A: "{{session_id}}",
          B: "$${session_id}",
          C: "é",
          D: "{{x}} {{ session_id }}",
        },
      }),
      stdioServer("l", { command: ["p"], cwd: given }),
      stdioServer("m", { cwd: own, env: { A: "{{session_id}}" } }),
      stdioServer("n", { cwd: { path: "/root", why: "home" } }),
    ]).diagnostics.map(({ code, at }) => [code, at]),
  ).toEqual([
    ["deliver/unescapable", spanAt(10)],
    ["deliver/unescapable", spanAt(11)],
    ["deliver/unescapable", spanAt(12)],
    ["deliver/cwd-not-supported", spanAt(40)],
    ["deliver/cwd-not-held", spanAt(40)],
  ]);
});

test("the machine's settings lie under ours, and say which key is needed", () => {
  const settings = {
    models: { default: "m" },
    model: { m: { env_key: ["K", "L"] } },
  };
  expect(read([], "config.toml", settings)).toEqual({
    ...settings,
    marketplace: { default_skills_installs_purged: true },
    mcp_servers: {},
  });
  const needs = (of: Json) => emit([], of).launch.needs;
  expect(needs(settings)).toEqual(["K"]);
  expect(needs({ models: { default: "m" } })).toEqual(["XAI_API_KEY"]);
  expect(
    needs({ models: { default: "m" }, model: { m: { api_key: "x" } } }),
  ).toEqual([]);
});

test("it is started with homes of its own", () => {
  expect(emit([]).launch).toEqual({
    argv: ["grok"],
    env: {
      GROK_CLAUDE_MCPS_ENABLED: "false",
      GROK_CURSOR_MCPS_ENABLED: "false",
      GROK_FOLDER_TRUST: "1",
      GROK_HOME: "/out/agent",
      HOME: "/out/agent/home",
    },
    needs: ["XAI_API_KEY"],
    cwd: "/project",
  });
  expect(emit([]).folders).toEqual(["home"]);
});

describe("every tool but these", () => {
  test("one name", () => {
    expect(othersThan(["ab-c"]).patterns).toEqual([
      "*[@-Z]*",
      "[!a]*",
      "?",
      "a[!b]*",
      "??",
      "ab[!-]*",
      "???",
      "ab-[!c]*",
      "ab-c?*",
    ]);
  });

  const letters = fc.constantFrom(..."abzABZ0_-");
  const name = fc
    .array(letters, { minLength: 1, maxLength: 4 })
    .map((list) => list.join(""));
  const entry = fc.oneof(
    { weight: 3, arbitrary: name },
    { weight: 1, arbitrary: name.map((text) => `${text}*`) },
  );

  test("no listed name is matched, and every other one", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(entry, { maxLength: 5 }),
        fc.array(name, { maxLength: 20 }),
        (entries, names) => {
          const { patterns, left } = othersThan(entries);
          const told = entries.filter((text) => !left.includes(text));
          const isListed = (text: string) =>
            told.some((e) =>
              e.endsWith("*") ? text.startsWith(e.slice(0, -1)) : e === text,
            );
          const tried = entries.flatMap((e) => variants(e.replace("*", "z")));
          for (const text of [...names, ...tried])
            expect(
              patterns.some((pattern) => matches(pattern, text)),
              `${text} of ${entries.join(" ")}`,
            ).toBe(!isListed(text));
        },
      ),
      { numRuns: 3000 },
    );
  });

  test("a name longer than any of MCP's is left, whatever its length", () => {
    const long = "a".repeat(100_000);
    expect(othersThan(["ab", long])).toEqual({
      ...othersThan(["ab"]),
      left: [long],
    });
  });
  test("what is written in small letters is never left", () => {
    const small = entry.map((text) => text.toLowerCase());
    fc.assert(
      fc.property(fc.array(small, { maxLength: 8 }), (entries) => {
        expect(othersThan(entries).left).toEqual([]);
      }),
    );
  });
});

/** The text, shorter, longer, and with each letter in the other case. */
const variants = (text: string): readonly string[] => [
  text,
  text.slice(0, -1) || "b",
  `${text}a`,
  text.toLowerCase(),
  text.toUpperCase(),
  ...[...text].map((c, i) => {
    const other = c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase();
    return text.slice(0, i) + other + text.slice(i + 1);
  }),
];

/** Grok's patterns, as they were measured. */
function matches(pattern: string, text: string): boolean {
  const [first, ...rest] = pattern.match(/\[!?[^\]]+\]|./g) ?? [];
  const after = rest.join("");
  if (first === undefined) return text === "";
  if (first === "*")
    return [...text, ""].some((_, i) => matches(after, text.slice(i)));
  const [character] = text;
  return (
    character !== undefined &&
    one(first, character) &&
    matches(after, text.slice(1))
  );
}

function one(token: string, character: string): boolean {
  if (token === "?") return true;
  const same = (a: string) => a.toLowerCase() === character.toLowerCase();
  if (!token.startsWith("[")) return same(token);
  const not = token.startsWith("[!");
  const inside = token.slice(not ? 2 : 1, -1);
  const [, from, to] = /^(.)-(.)$/.exec(inside) ?? [];
  if (from === undefined || to === undefined)
    return [...inside].some(same) !== not;
  return (character >= from && character <= to) !== not;
}
