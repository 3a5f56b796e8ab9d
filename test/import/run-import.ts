// Runs an import on inline sources and checks what holds of every import: the document has its published shape, what
// would be written is a valid fenzi.yaml, and importing again on top of it adds nothing.
import { stringify } from "yaml";
import { expect } from "vitest";
import { hasErrors } from "../../src/diagnostics/diagnostic.ts";
import {
  importConfigs,
  type Imported,
  type ImportSource,
} from "../../src/import/import-configs.ts";
import type { ExistingServer } from "../../src/import/settle.ts";
import { parseYaml } from "../../src/source/parse-yaml.ts";
import { validateFile } from "../../src/validate/validate-file.ts";
import { importDocument } from "../../schemas/import-document.ts";

const FILE = "fenzi.yaml";

export function runImport(
  sources: readonly ImportSource[],
  existing: readonly ExistingServer[] = [],
): Imported {
  const result = importConfigs(sources, existing);
  const { entries, diagnostics, ...rest } = result;
  const document = importDocument.safeParse({
    formatVersion: 1,
    ...rest,
    diagnostics: [],
  });
  expect(document.error?.issues ?? []).toEqual([]);
  expect(diagnostics.every((d) => !d.message.includes("\n"))).toBe(true);
  expect(entries.map((e) => e.name)).toEqual(rest.add.map((a) => a.name));
  const written = asExisting(result);
  const again = importConfigs(sources, [...existing, ...written]);
  expect(again.add).toEqual([]);
  expect(again.entries).toEqual([]);
  return result;
}

/** A source named `a.json`, `b.json`, … for each value; a text is taken as it is. */
export const importing = (...values: readonly unknown[]): Imported =>
  runImport(
    values.map((value, i) => ({
      file: `${"abcdef"[i]}.json`,
      text: typeof value === "string" ? value : JSON.stringify(value),
    })),
  );

/** One server `a` under `mcpServers`. */
export const importingEntry = (entry: unknown): Imported =>
  importing({ mcpServers: { a: entry } });

/** What is written for the only server. */
export const entryOf = (result: Imported): unknown => {
  expect(result.dropped.filter((d) => !("key" in d))).toEqual([]);
  expect(result.entries).toHaveLength(1);
  return result.entries[0]?.entry;
};

export const codesOf = (result: Imported): readonly string[] =>
  result.diagnostics.map((d) => d.code);

export const leftOf = (result: Imported): readonly string[] =>
  result.dropped.flatMap((d) => ("key" in d ? [`${d.key}: ${d.reason}`] : []));

export const droppedOf = (result: Imported): Readonly<Record<string, string>> =>
  Object.fromEntries(
    result.dropped.flatMap((d) => ("key" in d ? [] : [[d.name, d.reason]])),
  );

/** The servers as they stand in a file once they are written. Fails when that file is not valid. */
export function asExisting(result: Imported): readonly ExistingServer[] {
  const text = stringify({
    version: 1,
    mcp: Object.fromEntries(result.entries.map((e) => [e.name, e.entry])),
  });
  const source = parseYaml(FILE, text);
  expect(source.diagnostics).toEqual([]);
  if (source.value === null) return [];
  const { value, diagnostics } = validateFile(source.value, "project");
  expect(diagnostics.filter((d) => hasErrors([d]))).toEqual([]);
  const { locate } = source.value;
  return Object.entries(value?.value.mcp ?? {}).map(([name, entry]) => ({
    name,
    entry,
    at: locate(["mcp", name], "key"),
    ownsHost: false,
  }));
}
