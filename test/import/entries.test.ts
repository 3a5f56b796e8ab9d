// What one entry comes to: every spelling that tools have for the same thing, and every way to be no entry.
import { describe, expect, it } from "vitest";
import {
  codesOf,
  droppedOf,
  entryOf,
  importing,
  importingEntry,
  leftOf,
} from "./run-import.ts";

const URL = "https://mcp.example.com/mcp";
const remote = { url: URL, tools: "all" };

describe("transport", () => {
  const same: [string, unknown, unknown][] = [
    [
      "a command",
      { command: "x", args: ["a b", "c"] },
      { command: ["x", "a b", "c"] },
    ],
    [
      "a command as a list",
      { command: ["npx", "x"], args: ["y"] },
      { command: ["npx", "x", "y"] },
    ],
    [
      "a command with blanks is one word",
      { command: "C:\\Program Files\\node.exe" },
      { command: ["C:\\Program Files\\node.exe"] },
    ],
    [
      "numbers and truth values as they are written",
      { command: "x", args: [1, 0.5, true] },
      { command: ["x", "1", "0.5", "true"] },
    ],
    [
      "`type: local`",
      { type: "local", command: ["x"], environment: { A: "1" } },
      { command: ["x"], env: { A: "1" } },
    ],
    ["`type: http`", { type: "http", url: URL }, remote],
    ["`type: remote`", { type: "remote", url: URL }, remote],
    ["`type: streamable-http`", { type: "streamable-http", url: URL }, remote],
    ["`type: streamableHttp`", { type: "streamableHttp", url: URL }, remote],
    [
      "`transport: streamable_http`",
      { transport: "streamable_http", url: URL },
      remote,
    ],
    ["`httpUrl`", { httpUrl: URL }, remote],
    ["`serverUrl`", { serverUrl: URL }, remote],
    [
      "an empty command beside a URL",
      { command: "", args: [], url: URL },
      remote,
    ],
    [
      "an empty URL beside a command",
      { command: "x", url: "" },
      { command: ["x"] },
    ],
    [
      "nulls",
      { command: null, args: null, env: null, url: URL, headers: null },
      remote,
    ],
    [
      "a nested transport",
      { transport: { type: "http", url: URL, headers: { "x-t": "${T}" } } },
      { url: URL, headers: { "x-t": "${T}" }, tools: "all" },
    ],
    ["blanks around a URL", { url: ` ${URL} ` }, remote],
    [
      "`http` to this machine",
      { url: "http://localhost:3000/mcp" },
      { url: "http://localhost:3000/mcp", tools: "all" },
    ],
    [
      "both, and a type that says which",
      { type: "stdio", command: "x", url: URL },
      { command: ["x"] },
    ],
  ];
  for (const [what, value, entry] of same)
    it(what, () => expect(entryOf(importingEntry(value))).toEqual(entry));

  it("`httpUrl` goes before `url`, which is reported", () => {
    const result = importingEntry({
      url: "https://b.example/sse",
      httpUrl: URL,
    });
    expect(entryOf(result)).toEqual(remote);
    expect(leftOf(result)).toEqual(["url: other-transport"]);
  });

  it("a URL that ends in `/sse` is added with a warning", () => {
    const result = importingEntry({ url: "https://mcp.example.com/sse" });
    expect(result.add).toHaveLength(1);
    expect(codesOf(result)).toContain("import/sse-url");
  });

  it("a fragment is never sent and left out", () => {
    const result = importingEntry({ url: `${URL}#top` });
    expect(entryOf(result)).toEqual(remote);
    expect(leftOf(result)).toEqual(["url: fragment"]);
  });

  it("a type that does not go with the rest is reported", () => {
    expect(
      leftOf(importingEntry({ type: "carrier-pigeon", url: URL })),
    ).toEqual(["type: other-transport"]);
    expect(leftOf(importingEntry({ type: "http", command: "x" }))).toEqual([
      "type: other-transport",
    ]);
  });

  it("a program with a blank is one word, with a warning", () => {
    const result = importingEntry({ command: "uv run python" });
    expect(entryOf(result)).toEqual({ command: ["uv run python"] });
    expect(codesOf(result)).toEqual(["import/blank-in-program"]);
  });

  it("`cmd /c` stays, and the program behind it is named", () => {
    const result = importingEntry({ command: "cmd", args: ["/c", "npx", "x"] });
    expect(entryOf(result)).toEqual({ command: ["cmd", "/c", "npx", "x"] });
    expect(result.diagnostics[0]?.message).toContain("`npx` through `cmd`");
  });
});

describe("no entry", () => {
  const reasons: [string, unknown, string][] = [
    ["a text", "npx x", "not-an-entry"],
    ["a list", ["npx"], "not-an-entry"],
    ["null", null, "not-an-entry"],
    ["a truth value", true, "not-an-entry"],
    ["nothing in it", {}, "no-transport"],
    ["only an empty URL", { type: "http", url: "" }, "no-transport"],
    ["an empty command", { command: "", args: ["x"] }, "no-transport"],
    [
      "an unknown URL key",
      { baseUrl: URL, command: "", type: "streamableHttp" },
      "no-transport",
    ],
    ["both transports", { command: "x", url: URL }, "not-an-entry"],
    [
      "a nested transport that contradicts",
      { url: URL, transport: { url: "https://b.example" } },
      "not-an-entry",
    ],
    [
      "arguments in one text",
      { command: "x", args: "--a --b" },
      "not-an-entry",
    ],
    [
      "an argument that is an object",
      { command: "x", args: [{}] },
      "not-an-entry",
    ],
    [
      "a variable that is an object",
      { command: "x", env: { A: {} } },
      "not-an-entry",
    ],
    ["headers in a list", { url: URL, headers: ["A: b"] }, "not-an-entry"],
    ["a number for a URL", { url: 5 }, "not-an-entry"],
    ["NUL", { command: "x", args: ["a\0"] }, "not-an-entry"],
    [
      "half a character",
      { command: "x", env: { A: "\ud800" } },
      "not-an-entry",
    ],
    ["`type: sse`", { type: "sse", url: "https://mcp.example.com/x" }, "sse"],
    [
      "`transport: sse`",
      { transport: "sse", url: "http://localhost:1/x" },
      "sse",
    ],
    [
      "`http` to another machine",
      { url: "http://mcp.example.com/mcp" },
      "plain-http",
    ],
    [
      "`http` to every address",
      { url: "http://0.0.0.0:8000/mcp" },
      "plain-http",
    ],
    [
      "a token in the query",
      { url: `${URL}?token=tok_EXAMPLE` },
      "secret-in-url",
    ],
    ["a key in the query", { url: `${URL}?exaApiKey=abc123` }, "secret-in-url"],
    ["a user", { url: "https://me:x@mcp.example.com/" }, "secret-in-url"],
    ["a user alone", { url: "https://me@mcp.example.com/" }, "secret-in-url"],
    ["a variable", { url: "https://${HOST}/mcp" }, "variable-in-url"],
    [
      "a variable in the query",
      { url: `${URL}?api_key=\${KEY}` },
      "variable-in-url",
    ],
    [
      "an editor's variable",
      { url: "https://mcp.example.com/${input:x}" },
      "variable-in-url",
    ],
    [
      "OpenCode's variable",
      { url: "https://{env:HOST}/mcp" },
      "variable-in-url",
    ],
    ["another scheme", { url: "wss://mcp.example.com/" }, "no-transport"],
    ["no address at all", { url: "mcp.example.com" }, "no-transport"],
    ["dot segments", { url: "https://mcp.example.com/a/../b" }, "no-transport"],
    [
      "a metadata address",
      { url: "https://169.254.169.254/mcp" },
      "no-transport",
    ],
  ];
  for (const [what, value, reason] of reasons)
    it(`${what}: ${reason}`, () => {
      const result = importingEntry(value);
      expect(result.add).toEqual([]);
      expect(droppedOf(result)).toEqual({ a: reason });
      expect(
        result.diagnostics.filter((d) => d.severity === "error"),
      ).not.toEqual([]);
    });

  it("every wrong type is reported at its place, and hides no other server", () => {
    const result = importing({
      mcpServers: {
        a: { command: 1, args: "x", env: 2 },
        b: { command: "x" },
      },
    });
    expect(result.add.map((a) => a.name)).toEqual(["b"]);
    expect(result.diagnostics.map((d) => d.message)).toEqual([
      "`a` is not imported (not-an-entry): it has `command`, which must be text or a list of texts",
      "`a` is not imported (not-an-entry): it has `args`, which must be a list of texts",
      "`a` is not imported (not-an-entry): it has `env`, which must be an object of texts",
    ]);
  });

  it("the URL key that is not read is named", () => {
    const result = importingEntry({ baseUrl: URL });
    expect(result.diagnostics[0]?.message).toContain("`baseUrl`");
  });
});

describe("variables, folder, switches", () => {
  it("values as they are written; a null is no value", () => {
    expect(
      entryOf(
        importingEntry({
          command: "x",
          env: { A: "", B: 64000, C: 0.2, D: true, E: null, F: "a b" },
        }),
      ),
    ).toEqual({
      command: ["x"],
      env: { A: "", B: "64000", C: "0.2", D: "true", F: "a b" },
    });
  });

  it("a list of `NAME=value`", () => {
    expect(
      entryOf(importingEntry({ command: "x", env: ["A=1=2", "B"] })),
    ).toEqual({ command: ["x"], env: { A: "1=2", B: "${B}" } });
  });

  it("names that no environment has are left out", () => {
    const result = importingEntry({
      command: "x",
      env: { "A B": "1", "ProgramFiles(x86)": "2", C: "3" },
    });
    expect(entryOf(result)).toEqual({ command: ["x"], env: { C: "3" } });
    expect(leftOf(result)).toEqual([
      "env.A B: not-a-name",
      "env.ProgramFiles(x86): not-a-name",
    ]);
  });

  it("what belongs to the other transport is left out", () => {
    expect(
      leftOf(
        importingEntry({
          url: URL,
          cwd: "/x",
          env: { Authorization: "Bearer x" },
        }),
      ),
    ).toEqual(["env.Authorization: other-transport", "cwd: other-transport"]);
    expect(
      leftOf(importingEntry({ command: "x", headers: { A: "b" } })),
    ).toEqual(["headers.A: other-transport"]);
    expect(leftOf(importingEntry({ url: URL, env: {} }))).toEqual([]);
  });

  for (const [cwd, kept] of [
    ["/srv/x", true],
    ["C:\\x", true],
    [".", false],
    ["./", false],
    ["sub", false],
    ["~/x", false],
    ["${workspaceFolder}", false],
    ["/srv/${X}", false],
  ] as const)
    it(`the folder ${cwd} is ${kept ? "kept" : "left out"}`, () => {
      const result = importingEntry({ command: "x", cwd });
      expect(entryOf(result)).toEqual(
        kept ? { command: ["x"], cwd } : { command: ["x"] },
      );
      expect(leftOf(result)).toEqual(kept ? [] : ["cwd: folder"]);
    });

  const off: [unknown, boolean][] = [
    [{ disabled: true }, true],
    [{ disabled: false }, false],
    [{ enabled: false }, true],
    [{ enabled: true }, false],
    [{ isActive: false }, true],
    [{ isActive: true }, false],
    [{ disabled: null }, false],
    [{ disabled: "true" }, true],
    [{ disabled: "false" }, true],
    [{ disabled: 1 }, true],
    [{ enabled: "yes" }, true],
    [{ enabled: true, disabled: true }, true],
  ];
  for (const [switches, isOff] of off)
    it(`${JSON.stringify(switches)} is ${isOff ? "off" : "on"}`, () => {
      expect(
        entryOf(importingEntry({ command: "x", ...(switches as object) })),
      ).toEqual({ command: ["x"], ...(isOff ? { enabled: false } : {}) });
    });

  it("keys that Fenzi does not have are left out, remarks only as a note", () => {
    const result = importingEntry({
      command: "x",
      timeout: 60,
      envFile: "${workspaceFolder}/.env",
      description: "d",
      _note: "n",
    });
    expect(entryOf(result)).toEqual({ command: ["x"] });
    expect(result.diagnostics.map((d) => [d.severity, d.message])).toEqual([
      [
        "warning",
        "`timeout`, `envFile` of `a` are left out: Fenzi has no such setting",
      ],
      [
        "note",
        "`description`, `_note` of `a` are left out: Fenzi has no such setting",
      ],
    ]);
  });
});

describe("tools", () => {
  const cases: [string, unknown, unknown][] = [
    ["no list", {}, undefined],
    ["`includeTools`", { includeTools: ["a", "b"] }, { allow: ["a", "b"] }],
    ["`enabledTools`", { enabledTools: ["a"] }, { allow: ["a"] }],
    [
      "`allowedTools` of Claude",
      { allowedTools: ["mcp__a__read", "mcp__other__x"] },
      { allow: ["read"] },
    ],
    ["an empty list allows none", { includeTools: [] }, { allow: [] }],
    ["`tools: [*]`", { tools: ["*"] }, undefined],
    ["`tools` as a list", { tools: ["a"] }, { allow: ["a"] }],
    ["`tools` as switches", { tools: { a: true, b: false } }, { deny: ["b"] }],
    [
      "two lists both hold",
      { tools: ["a", "b"], includeTools: ["b", "c"] },
      { allow: ["b"] },
    ],
    ["`excludeTools`", { excludeTools: ["x"] }, { deny: ["x"] }],
    [
      "`disabledTools` and `disallowedTools`",
      { disabledTools: ["x"], disallowedTools: ["mcp__a__y", "x"] },
      { deny: ["x", "y"] },
    ],
    [
      "the whole server refused",
      { disallowedTools: ["mcp__a"] },
      { deny: ["*"] },
    ],
    ["a pattern", { includeTools: ["get_*"] }, { allow: ["get_*"] }],
    ["one name as a text", { includeTools: "a" }, { allow: ["a"] }],
    [
      "approvals are no list",
      { alwaysAllow: ["a"], autoApprove: ["*"], trust: true },
      undefined,
    ],
  ];
  for (const [what, keys, tools] of cases) {
    it(`${what}: local`, () => {
      expect(
        entryOf(importingEntry({ command: "x", ...(keys as object) })),
      ).toEqual({ command: ["x"], ...(tools === undefined ? {} : { tools }) });
    });
    it(`${what}: remote`, () => {
      const result = importingEntry({ url: URL, ...(keys as object) });
      expect(entryOf(result)).toEqual({
        url: URL,
        tools: tools === undefined ? "all" : { allow: "all", ...tools },
      });
      if (what !== "`tools: [*]`")
        expect(codesOf(result).includes("import/all-tools")).toBe(
          tools === undefined || !("allow" in (tools as object)),
        );
    });
  }

  it("`tools: [*]` is a list, so nothing is noted", () => {
    expect(codesOf(importingEntry({ url: URL, tools: ["*"] }))).toEqual([]);
  });

  it("rules that name no tool, and other servers', are reported", () => {
    const result = importingEntry({
      command: "x",
      includeTools: ["", "!a", "b"],
      disallowedTools: ["mcp__other__x"],
      tools: "some",
    });
    expect(leftOf(result)).toEqual([
      "tools: not-supported",
      "includeTools: not-a-rule",
      "disallowedTools: other-server",
    ]);
  });

  it("approvals are reported, empty ones not", () => {
    expect(
      leftOf(
        importingEntry({
          command: "x",
          alwaysAllow: ["a"],
          autoApprove: [],
          trust: false,
        }),
      ),
    ).toEqual(["alwaysAllow: approval"]);
  });
});
