// How other tools write references, in every place that may hold one.
import { describe, expect, it } from "vitest";
import {
  codesOf,
  entryOf,
  importing,
  importingEntry,
  leftOf,
} from "./run-import.ts";

describe("a text in our form", () => {
  const texts: [string, string, readonly string[]][] = [
    ["${A}", "${A}", []],
    ["${env:A}", "${A}", []],
    ["{env:A}", "${A}", []],
    ["Bearer ${A} and ${env:B}", "Bearer ${A} and ${B}", []],
    ["${A:-x}", "${A}", ["env.E: default"]],
    ["${A:-}", "${A}", ["env.E: default"]],
    ["${A:-${B:-c}}", "${A}", ["env.E: default"]],
    ["${input:my-id}", "${my_id}", []],
    ["${config:a.b}", "${config_a_b}", []],
    ["${workspaceFolder}/x", "${workspaceFolder}/x", []],
    ["${workspaceFolder:web}", "${workspaceFolder_web}", []],
    ["$A", "$A", []],
    ["$$A", "$$$A", []],
    ["$", "$$", []],
    ["a$b", "a$b", []],
    ["$(id)", "$(id)", []],
    ["${", "$${", []],
    ["${}", "$${}", []],
    ["${UNCLOSED ${OK}", "$${UNCLOSED ${OK}", []],
    ["${A:=x}", "$${A:=x}", []],
    ["${A%.*}", "$${A%.*}", []],
    ["${#A}", "$${#A}", []],
    ["${a-b}", "$${a-b}", []],
    ["${/}", "$${/}", []],
    ["%A%", "%A%", []],
    ["{{A}}", "{{A}}", []],
    ["$${A}", "$$${A}", []],
    ["{env:}", "{env:}", []],
    ["100%", "100%", []],
    ["tab\there \u202e ü 🙂", "tab\there \u202e ü 🙂", []],
  ];
  for (const [source, text, left] of texts) {
    it(`${JSON.stringify(source)} in a variable`, () => {
      const result = importingEntry({ command: "x", env: { E: source } });
      expect(entryOf(result)).toEqual({ command: ["x"], env: { E: text } });
      expect(leftOf(result)).toEqual(left);
    });
    it(`${JSON.stringify(source)} in an argument`, () => {
      expect(entryOf(importingEntry({ command: "x", args: [source] }))).toEqual(
        { command: ["x", text] },
      );
    });
  }
});

describe("what is said about it", () => {
  const said = (text: string) =>
    importingEntry({ command: "x", args: [text] }).diagnostics.map(
      (d) => d.message,
    );

  it("a changed name", () =>
    expect(said("${input:my-id}")).toEqual([
      "`${input:my-id}` in `a` becomes the variable `my_id`",
    ]));

  it("a variable that only one tool sets", () =>
    expect(said("${CLAUDE_PLUGIN_ROOT}/x")).toEqual([
      "`CLAUDE_PLUGIN_ROOT` in `a` is set only by Claude Code",
    ]));

  it("a default", () =>
    expect(said("${A:-x}")).toEqual([
      "`A` in `args[0]` of `a` has a default there, which is not taken over",
    ]));

  for (const [text, shown] of [
    ["mysql://$USER@localhost/db", "$USER"],
    ["%APPDATA%\\x", "%APPDATA%"],
    ["~/x", "~"],
    ["${UNCLOSED", "${"],
  ] as const)
    it(`${text} stays text`, () =>
      expect(said(text)).toEqual([
        `\`${shown}\` in \`args[0]\` of \`a\` stays as it is written`,
      ]));

  it("an input's default", () => {
    const result = importing({
      inputs: [{ id: "port", type: "promptString", default: "1" }, { id: "b" }],
      servers: {
        a: { command: "x", env: { P: "${input:port}", Q: "${input:b}" } },
      },
    });
    expect(leftOf(result)).toEqual(["env.P: default"]);
    expect(codesOf(result)).toEqual([
      "import/reference",
      "import/default-dropped",
      "import/reference",
    ]);
  });
});
