// The keys of an entry beside its transport: variables, folder, switches, tool lists, and what Fenzi does not have.
import { describe, expect, it } from "vitest";
import { codesOf, entryOf, importingEntry, leftOf } from "./run-import.ts";

const URL = "https://mcp.example.com/mcp";

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
