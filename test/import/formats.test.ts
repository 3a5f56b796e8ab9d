// Recognising a file by its content needs many small texts; the golden cases show each kind of file once.
import { describe, expect, it } from "vitest";
import { importConfigs } from "../../src/import/import-configs.ts";
import { codesOf, droppedOf, importing } from "./run-import.ts";

const namesIn = (value: unknown): readonly string[] =>
  importing(value).add.map((a) => a.name);

describe("where servers are found", () => {
  const x = { command: "x" };
  const cases: [string, unknown, string, readonly string[]][] = [
    [
      "Claude, Cursor, Windsurf",
      { mcpServers: { a: x, b: x } },
      "mcpServers",
      ["a", "b"],
    ],
    ["VS Code", { servers: { a: x }, inputs: [] }, "servers", ["a"]],
    [
      "VS Code's settings",
      { mcp: { servers: { a: x } }, "editor.tabSize": 2 },
      "mcp.servers",
      ["a"],
    ],
    [
      "`mcp.mcpServers`",
      { mcp: { mcpServers: { a: x } } },
      "mcp.mcpServers",
      ["a"],
    ],
    [
      "a bare map",
      { a: x, b: { url: "https://mcp.example.com/mcp" } },
      "map",
      ["a", "b"],
    ],
    [
      "a setting of an editor's extension",
      { "amp.mcpServers": { a: x } },
      "mcpServers",
      ["a"],
    ],
    ["a bare map with a remark", { _comment: "mine", a: x }, "map", ["a"]],
    ["a list with names", { servers: [{ name: "a", ...x }] }, "servers", ["a"]],
    [
      "a list under `mcpServers`",
      { mcpServers: [{ name: "a", ...x }] },
      "mcpServers",
      ["a"],
    ],
    [
      "two wrappers",
      { mcpServers: { a: x }, servers: { b: x } },
      "mcpServers",
      ["a", "b"],
    ],
  ];
  for (const [what, value, format, names] of cases)
    it(what, () => {
      const result = importing(value);
      expect(result.sources).toEqual([{ file: "a.json", format }]);
      expect(result.add.map((a) => a.name)).toEqual(names);
    });

  it("says what else is in the file", () => {
    const result = importing({ theme: 1, mcpServers: { a: x } });
    const note = result.diagnostics.find((d) => d.code === "import/read-from");
    expect(note?.severity).toBe("note");
    expect(note?.message).toBe(
      "the servers are those of `mcpServers`; not read: `theme`",
    );
  });

  it("a list's item without a name is dropped under its place", () => {
    expect(droppedOf(importing({ servers: [x] }))).toEqual({
      "servers[0]": "not-an-entry",
    });
  });

  it("a misspelt wrapper is not read, and each server in it is named", () => {
    const result = importing({ MCPServers: { a: x } });
    expect(result.add).toEqual([]);
    expect(droppedOf(result)).toEqual({ a: "not-an-entry" });
    expect(result.diagnostics[0]?.message).toContain("must be `mcpServers`");
  });

  it("a server beside the wrapper is reported, not lost", () => {
    const result = importing({ chrome: x, mcpServers: { a: x } });
    expect(result.add.map((a) => a.name)).toEqual(["a"]);
    expect(droppedOf(result)).toEqual({ chrome: "not-an-entry" });
  });

  it("a command of an agent's settings is no server", () => {
    const result = importing({
      statusLine: { type: "command", command: "x" },
      mcpServers: { a: x },
    });
    expect(droppedOf(result)).toEqual({});
  });

  it("a server among other things needs a wrapper", () => {
    const result = importing({ name: "x", a: { command: "x" } });
    expect(droppedOf(result)).toEqual({ a: "not-an-entry" });
  });

  it("a server that the file's own list leaves out is imported switched off", () => {
    const result = importing({
      mcp: { allowed: ["a", "b"], excluded: ["b"] },
      mcpServers: { a: x, b: x, c: x },
    });
    expect(result.entries).toEqual([
      { name: "a", entry: { command: ["x"] } },
      { name: "b", entry: { command: ["x"], enabled: false } },
      { name: "c", entry: { command: ["x"], enabled: false } },
    ]);
  });
});

describe("files without servers", () => {
  for (const [what, value] of [
    ["empty", ""],
    ["blanks", " \n\t\r\n"],
    ["only comments", "// { }\n/* none */"],
    ["an empty wrapper", { mcpServers: {} }],
    ["a wrapper that is null", { mcpServers: null }],
    ["something else", { "is-this-one": { "what-is-this": "no" } }],
    ["a list under `mcp`", { mcp: [], other: { x: 1 } }],
    ["a single entry without a name", { command: "x", args: [] }],
    ["a hook", { hooks: { a: [{ command: "x" }] } }],
  ] as const)
    it(what, () => {
      const result = importing(value);
      expect(result.add).toEqual([]);
      expect(result.dropped).toEqual([]);
      expect(result.diagnostics.map((d) => [d.severity, d.code])).toEqual([
        ["warning", "import/no-servers"],
      ]);
    });
});

describe("text", () => {
  const one = '{"mcpServers": {"a": {"command": "x"}}}';
  it("a BOM and CRLF are nothing", () => {
    expect(namesIn(`\uFEFF${one.replaceAll(" ", "\r\n")}\r\n`)).toEqual(["a"]);
  });

  it("comments and trailing commas are read, and noted", () => {
    const result = importing(
      '{\n// one\n"mcpServers": {\n// "old": {"command": "y"},\n"a": {"command": "x", "args": ["1",],}, /* b */\n},\n}',
    );
    expect(result.add.map((a) => a.name)).toEqual(["a"]);
    expect(codesOf(result)).toEqual(["import/not-strict-json"]);
    expect(codesOf(importing(one))).toEqual([]);
  });

  const broken: [string, string, number, number][] = [
    ["cut off", '{"mcpServers": {\n  "a": {"command": "SECRET', 2, 20],
    ["a template", '{"mcpServers": {\n{{- if x }}\n}}', 2, 1],
    [
      "a missing comma",
      '{"mcpServers": {"a": {"command": "x" "args": []}}}',
      1,
      38,
    ],
    ["two commas", '{"mcpServers": {"a": {"command": "x",, "b": 1}}}', 1, 38],
    ["single quotes", "{'mcpServers': {}}", 1, 2],
    ["something after the end", `${one} SECRET`, 1, 41],
    ["a list", '["SECRET"]', 1, 1],
    ["a string", '"SECRET"', 1, 1],
    [
      "a line break in a string",
      '{"mcpServers": {"a": {"command": "SEC\nRET"}}}',
      1,
      34,
    ],
    ["a comment without end", '{"mcpServers": {} } /* SECRET', 1, 21],
  ];
  for (const [what, text, line, column] of broken)
    it(`${what} stops everything with a place and no value`, () => {
      const result = importing(text, { mcpServers: { b: { command: "x" } } });
      expect(result.entries).toEqual([]);
      expect(result.add).toEqual([]);
      expect(result.sources).toEqual([
        { file: "a.json", format: "unreadable" },
        { file: "b.json", format: "mcpServers" },
      ]);
      expect(codesOf(result)).toEqual(["import/not-json"]);
      const [error] = result.diagnostics;
      expect(error?.severity).toBe("error");
      expect(error?.at?.start).toMatchObject({ line, column });
      expect(JSON.stringify(result)).not.toContain("SEC");
    });

  it("depth has a bound", () => {
    const deep = "[".repeat(200_000);
    expect(codesOf(importing(`{"mcpServers": ${deep}`))).toEqual([
      "import/not-json",
    ]);
    const nested = `${'{"a":'.repeat(60)}{}${"}".repeat(60)}`;
    expect(droppedOf(importing(`{"mcpServers": ${nested}}`))).toEqual({
      a: "no-transport",
    });
  });

  it("a server that stands twice is dropped once, with both places", () => {
    const result = importing(
      '{"mcpServers": {"db": {"command": "a"}, "db": {"command": "b"}}}',
    );
    expect(result.add).toEqual([]);
    expect(result.dropped).toEqual([{ name: "db", reason: "name-taken" }]);
    expect(result.diagnostics[0]?.at?.start.column).toBe(41);
    expect(result.diagnostics[0]?.notes[0]?.at?.start.column).toBe(17);
  });

  it("a wrapper that stands twice drops the servers of both", () => {
    expect(
      droppedOf(
        importing(
          '{"mcpServers": {"a": {"command": "x"}}, "mcpServers": {"b": {"command": "x"}}}',
        ),
      ),
    ).toEqual({ a: "not-an-entry", b: "not-an-entry" });
  });

  it("a key that stands twice in an entry drops that entry alone", () => {
    expect(
      droppedOf(
        importing(
          '{"mcpServers": {"a": {"command": "x", "env": {"A": "1", "A": "2"}}, "b": {"command": "x"}}}',
        ),
      ),
    ).toEqual({ a: "not-an-entry" });
  });

  it("names of the language's own mean nothing", () => {
    const result = importing(
      '{"mcpServers": {"__proto__": {"command": "x", "env": {"__proto__": "1"}, "__proto__": {"url": "https://a.example"}}, "constructor": {"command": "y"}}}',
    );
    expect(result.add.map((a) => [a.name, a.renamedFrom])).toEqual([
      ["proto", "__proto__"],
      ["constructor", undefined],
    ]);
    expect(({} as Record<string, unknown>)["url"]).toBeUndefined();
  });

  it("many servers are read quickly", () => {
    const servers = Object.fromEntries(
      Array.from({ length: 1000 }, (_, i) => [
        `srv_${i}`,
        { command: "npx", args: ["-y", `server-${i}`], env: { A: "1" } },
      ]),
    );
    const began = performance.now();
    const text = JSON.stringify({ mcpServers: servers });
    expect(importConfigs([{ file: "a.json", text }], []).add).toHaveLength(
      1000,
    );
    expect(performance.now() - began).toBeLessThan(20_000);
  });

  it("more servers than anybody reads are refused whole", () => {
    const one = (name: string) => `"${name}": { "command": "npx" }`;
    const text = `{ "mcpServers": { ${Array.from({ length: 1001 }, (_, i) => one(`s${i}`)).join(",")} } }`;
    const imported = importConfigs([{ file: "a.json", text }], []);
    expect(imported.diagnostics.map((d) => d.code)).toEqual([
      "import/too-many",
    ]);
    expect(imported.entries).toEqual([]);
  });
});
