// The published JSON Schemas are what the shapes say; `UPDATE=1` writes them.
import { expect, test } from "vitest";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { published, schemaText } from "./support/published-schemas.ts";

const folder = join(import.meta.dirname, "..", "schemas");

test.each(Object.keys(published))("schemas/%s.schema.json", (name) => {
  const file = join(folder, `${name}.schema.json`);
  if (process.env["UPDATE"] === "1") writeFileSync(file, schemaText(name));
  expect(readFileSync(file, "utf8"), "npm run update -- schemas").toBe(
    schemaText(name),
  );
});

test("no schema is published that no shape makes", () => {
  expect(
    readdirSync(folder)
      .filter((name) => name.endsWith(".schema.json"))
      .map((name) => name.replace(".schema.json", "")),
  ).toEqual(Object.keys(published).sort());
});
