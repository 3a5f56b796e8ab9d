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
    [
      "`transportType`",
      { transportType: "stdio", command: "x" },
      { command: ["x"] },
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
