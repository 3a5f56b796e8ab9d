// Files of a size that no case has room for.
import { expect, test } from "vitest";
import { parseDocument } from "../src/compile.ts";

test("more problems than the stack has room for are all found", () => {
  const count = 130_000;
  const text = `version: 1\n${"k: 1\n".repeat(count)}`;
  const read = parseDocument("project", { file: "/f", text, hash: "" });
  expect(read.diagnostics.length).toBeGreaterThanOrEqual(count - 1);
});

test("a pattern of any length is judged", () => {
  const text = `version: 1\nmcp: { a: { command: [x], tools: { allow: ["${"a*".repeat(3000)}"], ask: ["${"*a".repeat(3000)}"] } } }\n`;
  const read = parseDocument("project", { file: "/f", text, hash: "" });
  expect(read.diagnostics.map((d) => d.code)).toContain("tools/never-matches");
});
