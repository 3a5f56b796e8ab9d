// Names that tools allow and we do not; names and hosts that are taken, here and in what is defined already.
import { describe, expect, it } from "vitest";
import { fitName } from "../../src/import/fit-name.ts";
import type { ExistingServer } from "../../src/import/settle.ts";
import { nameProblem } from "../../src/match/server-name.ts";
import type { ServerEntry } from "../../schemas/fenzi.ts";
import { droppedOf, importing, runImport } from "./run-import.ts";

const x = { command: "x" };
const y = { command: "y" };

describe("fitName", () => {
  for (const [from, to] of [
    ["linear", "linear"],
    ["GitHub", "GitHub"],
    ["my_server-2", "my_server-2"],
    ["a b", "a-b"],
    ["npm:@scope/server-x", "npm-scope-server-x"],
    ["awslabs.postgres-mcp-server", "awslabs-postgres-mcp-server"],
    ["Internet Search (Tavily)", "Internet-Search-Tavily"],
    [
      "Postgres MCP - Production - Read Only",
      "Postgres-MCP-Production-Read-Only",
    ],
    ["evil__foo", "evil_foo"],
    ["a_-b", "a-b"],
    ["acme_", "acme"],
    ["_x", "x"],
    ["21st-dev", "s-21st-dev"],
    ["🔥🔥", "server"],
    ["_", "server"],
    ["", "server"],
    ["gіthub", "g-thub"],
    [
      "github.com/modelcontextprotocol/servers/tree/main",
      "github-com-modelcontextprotocol-servers",
    ],
    ["-rf", "rf"],
    ["../../etc", "etc"],
  ] as const)
    it(JSON.stringify(from), () => {
      expect(fitName(from)).toBe(to);
      expect(nameProblem(fitName(from))).toBeNull();
    });
});

describe("in one file", () => {
  it("a changed name is reported with the old one", () => {
    const result = importing({ mcpServers: { "a b": x } });
    expect(result.add[0]).toMatchObject({ name: "a-b", renamedFrom: "a b" });
    expect(result.diagnostics[0]?.message).toBe("`a b` becomes `a-b`");
  });

  const meeting: [string, readonly string[], readonly string[]][] = [
    ["equal after the change", ["a b", "a.b"], []],
    ["equal but for case", ["github", "GitHub", "z"], ["z"]],
    ["equal but for `-` and `_`", ["a-b", "a_b"], []],
    ["a pair like `gw` and `gw_x`", ["gw", "gw_x"], []],
    ["the longer one first", ["evil__foo", "evil"], []],
    ["three of a kind", ["a b", "a.b", "a/b"], []],
    ["`gw` and `gw-x` are apart", ["gw", "gw-x"], ["gw", "gw-x"]],
    [
      "cut names that would be equal",
      [`${"a".repeat(45)}1`, `${"a".repeat(45)}2`],
      [],
    ],
    ["nothing but signs, twice", ["🔥", "💧"], []],
  ];
  for (const [what, names, added] of meeting)
    it(what, () => {
      const result = importing({
        mcpServers: Object.fromEntries(
          names.map((name, i) => [name, { command: `x${i}` }]),
        ),
      });
      expect(result.add.map((a) => a.name)).toEqual(added);
      const dropped = names.filter((name) => !added.includes(name));
      expect(droppedOf(result)).toEqual(
        Object.fromEntries(dropped.map((name) => [name, "name-taken"])),
      );
      for (const d of result.diagnostics.filter((e) => e.severity === "error"))
        expect(d.notes).toHaveLength(1);
    });

  it("each names the other", () => {
    const result = importing({ mcpServers: { "a b": x, "a.b": y } });
    expect(result.diagnostics.map((d) => d.message)).toEqual([
      "`a b` is not imported (name-taken): it would be named too much like `a.b`",
      "`a.b` is not imported (name-taken): it would be named too much like `a b`",
    ]);
  });

  for (const name of [
    "workspace",
    "Claude in Chrome",
    "computer-use",
    "codex.apps",
  ])
    it(`${name} is reserved`, () =>
      expect(droppedOf(importing({ mcpServers: { [name]: x } }))).toEqual({
        [name]: "name-taken",
      }));

  it("a server that is dropped for itself takes no name", () => {
    const result = importing({ mcpServers: { a: {}, A: x } });
    expect(result.add.map((a) => a.name)).toEqual(["A"]);
  });

  it("one server for each host, port and path", () => {
    const result = importing({
      mcpServers: {
        a: { url: "https://mcp.example.com/a" },
        b: { url: "https://mcp.example.com/b" },
        c: { url: "https://MCP.example.com:443/a" },
        d: { url: "https://mcp.example.com:8443/a" },
        e: { url: "http://localhost:1/mcp" },
        f: { url: "http://127.0.0.1:1/mcp" },
      },
    });
    expect(result.add.map((a) => a.name)).toEqual(["a", "b", "d", "e"]);
    expect(droppedOf(result)).toEqual({ c: "host-taken", f: "host-taken" });
  });
});

describe("in several files", () => {
  it("the same server is one", () => {
    const result = importing(
      { mcpServers: { a: { command: "x", args: ["1"] } } },
      { servers: { a: { type: "stdio", command: "x", args: ["1"] } } },
    );
    expect(result.add.map((a) => [a.name, a.from])).toEqual([["a", "a.json"]]);
    expect(result.keep).toEqual([]);
  });

  it("a different one of the same name keeps the first", () => {
    const result = importing(
      { mcpServers: { a: x } },
      '{\n"mcpServers": {\n"a": {"command": "y"}}}',
      { mcpServers: { a: { ...x, disabledTools: ["t"] } } },
    );
    expect(result.add).toHaveLength(1);
    expect(result.keep).toEqual([
      { name: "a", reason: "different", file: "a.json", line: 1 },
      { name: "a", reason: "different", file: "a.json", line: 1 },
    ]);
    expect(result.diagnostics.map((d) => d.at?.file)).toEqual([
      "b.json",
      "c.json",
    ]);
  });

  it("the same server under a name of other case is one", () => {
    const result = importing(
      { mcpServers: { Linear: { url: "https://mcp.linear.app/mcp" } } },
      { mcpServers: { linear: { url: "https://mcp.linear.app/mcp" } } },
    );
    expect(result.add.map((a) => a.name)).toEqual(["Linear"]);
    expect(droppedOf(result)).toEqual({});
  });

  it("different ones under names of other case are both dropped", () => {
    expect(
      droppedOf(importing({ mcpServers: { A: x } }, { mcpServers: { a: y } })),
    ).toEqual({ A: "name-taken", a: "name-taken" });
  });

  it("one file named twice changes nothing", () => {
    const source = {
      file: "a.json",
      text: JSON.stringify({ mcpServers: { a: x } }),
    };
    const result = runImport([source, source]);
    expect(result.add).toHaveLength(1);
    expect(droppedOf(result)).toEqual({});
  });
});

describe("on top of what is defined", () => {
  const at = {
    file: "fenzi.yaml",
    start: { line: 3, column: 3, offset: 20 },
    end: { line: 3, column: 4, offset: 21 },
  };
  const existing = (
    name: string,
    entry: ServerEntry,
    ownsHost = false,
  ): ExistingServer => ({ name, entry, at, ownsHost });
  const on = (value: unknown, ...servers: readonly ExistingServer[]) =>
    runImport([{ file: "a.json", text: JSON.stringify(value) }], servers);

  it("the same server is kept as it is, however it is narrowed", () => {
    const result = on(
      {
        mcpServers: {
          a: { url: "https://mcp.example.com", alwaysAllow: ["x"] },
        },
      },
      existing("a", {
        url: "https://MCP.example.com:443/",
        enabled: false,
        tools: { allow: ["t"] },
      }),
    );
    expect(result.add).toEqual([]);
    expect(result.keep).toEqual([
      { name: "a", reason: "same", file: "fenzi.yaml", line: 3 },
    ]);
    expect(result.dropped).toEqual([]);
  });

  it("a different one stays", () => {
    const result = on(
      { mcpServers: { a: { command: "x", env: { A: "1" } } } },
      existing("a", { command: ["x"], env: { A: "2" } }),
    );
    expect(result.keep[0]?.reason).toBe("different");
  });

  it("a name that only narrows is taken", () => {
    const result = on(
      { mcpServers: { a: x } },
      existing("a", { tools: { deny: ["t"] } }),
    );
    expect(result.keep[0]?.reason).toBe("different");
  });

  it("a narrowed server is compared with the one that defines it", () => {
    const result = on(
      { mcpServers: { a: x } },
      existing("a", { tools: { deny: ["t"] } }),
      existing("a", { command: ["x"] }),
    );
    expect(result.keep[0]?.reason).toBe("same");
  });

  it("a name that looks alike is taken", () => {
    const result = on(
      { mcpServers: { A: x } },
      existing("a", { command: ["z"] }),
    );
    expect(droppedOf(result)).toEqual({ A: "name-taken" });
  });

  it("a pair like `gw` and `gw_x` is refused both ways", () => {
    expect(
      droppedOf(
        on({ mcpServers: { gw_x: x } }, existing("gw", { command: ["z"] })),
      ),
    ).toEqual({ gw_x: "name-taken" });
    expect(
      droppedOf(
        on({ mcpServers: { gw: x } }, existing("gw_x", { command: ["z"] })),
      ),
    ).toEqual({ gw: "name-taken" });
  });

  it("a host is taken by its path, or as a whole", () => {
    const value = {
      mcpServers: {
        b: { url: "https://mcp.example.com/b" },
        c: { url: "https://mcp.example.com/a" },
      },
    };
    const other: ServerEntry = { url: "https://mcp.example.com/a" };
    expect(droppedOf(on(value, existing("m", other)))).toEqual({
      c: "host-taken",
    });
    expect(droppedOf(on(value, existing("m", other, true)))).toEqual({
      b: "host-taken",
      c: "host-taken",
    });
  });

  it("what `fenzi guard` stands for is there already", () => {
    const result = on({
      mcpServers: {
        a: { command: "fenzi", args: ["guard", "a"] },
        b: { command: "npx", args: ["-y", "fenzi@0.1.0", "guard", "b"] },
        c: { command: "cmd", args: ["/c", "fenzi", "guard", "c"] },
        d: { command: "fenzi", args: ["list"] },
      },
    });
    expect(result.add.map((a) => a.name)).toEqual(["d"]);
    expect(result.keep.map((k) => [k.name, k.reason])).toEqual([
      ["a", "fenzi-guard"],
      ["b", "fenzi-guard"],
      ["c", "fenzi-guard"],
    ]);
  });
});
