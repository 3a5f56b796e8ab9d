// Files of a size that no case has room for.
import { expect, test } from "vitest";
import { parseDocument } from "../src/compile.ts";

const codes = (text: string) =>
  parseDocument("project", { file: "/f", text, hash: "" }).diagnostics.map(
    (d) => d.code,
  );

test("more problems than the stack has room for are looked for up to a bound", () => {
  const found = codes(`version: 1\n${"k: 1\n".repeat(130_000)}`);
  expect(new Set(found)).toContain("source/duplicate-key");
  expect(found.length).toBeGreaterThanOrEqual(1_000);
});

test("a pattern of any length has an answer", () => {
  const tools = `allow: ["${"a*".repeat(3000)}"], ask: ["${"*a".repeat(3000)}"]`;
  expect(
    codes(`version: 1\nmcp: { a: { command: [x], tools: { ${tools} } } }\n`),
  ).toContain("schema/too-many");
});
