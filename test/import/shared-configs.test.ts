// Public config files, when they lie beside the repository: every server must come out in one place, most of them
// added, nothing changed on the way, and no secret shown. The kinds themselves are tested beside this file.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  KEEP_REASONS,
  KEY_REASONS,
  SERVER_REASONS,
} from "../../schemas/import-document.ts";
import type { ImportSource } from "../../src/import/import-configs.ts";
import { runImport } from "./run-import.ts";

const FOLDER = join(import.meta.dirname, "../../../shared/cases/configs");
const KINDS = [
  "cursor",
  "desktop",
  "gemini",
  "kiro",
  "mcpjson",
  "othermcp",
  "roo",
  "vscode",
  "windsurf",
];

interface Found {
  readonly name: string;
  readonly entry: unknown;
}

/** A file that is not UTF-8 never gets here: it is refused when it is read. */
function read(path: string): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(path));
  } catch {
    return null;
  }
}

const sources: readonly ImportSource[] = existsSync(FOLDER)
  ? KINDS.flatMap((kind) =>
      readdirSync(join(FOLDER, kind))
        .filter((file) => /\.jsonc?$/.test(file))
        .sort()
        .flatMap((file) => {
          const text = read(join(FOLDER, kind, file));
          return text === null ? [] : [{ file: `${kind}/${file}`, text }];
        }),
    )
  : [];

/** A reader of its own: comments and trailing commas are cut, the rest is for `JSON.parse`. */
function lenient(text: string): unknown {
  const strict = text
    .replace(/("(?:[^"\\\n]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, "$1")
    .replace(/("(?:[^"\\\n]|\\.)*")|,(?=\s*[}\]])/g, "$1");
  if (strict.trim() === "") return {};
  try {
    return JSON.parse(strict) as unknown;
  } catch {
    return null;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A counter of its own: what lies under the known keys, or a map of nothing but entries. */
function count(text: string): readonly Found[] {
  const root = lenient(text);
  if (!isObject(root)) return [];
  const mcp = isObject(root["mcp"]) ? root["mcp"] : {};
  const wrappers = [root["mcpServers"], root["servers"], mcp["servers"]];
  const found = wrappers.flatMap((wrapper): readonly Found[] =>
    Array.isArray(wrapper)
      ? wrapper.map((entry: { name: string }) => ({ name: entry.name, entry }))
      : isObject(wrapper)
        ? Object.entries(wrapper).map(([name, entry]) => ({ name, entry }))
        : [],
  );
  const looks = (entry: unknown) =>
    isObject(entry) && ("command" in entry || "url" in entry);
  return found.length === 0 && Object.values(root).every(looks)
    ? Object.entries(root).map(([name, entry]) => ({ name, entry }))
    : found;
}

/** Texts of the source that were secrets before they were replaced, wherever a server holds them. */
const secretsOf = (servers: readonly Found[]): readonly string[] =>
  JSON.stringify(servers.map((s) => s.entry)).match(
    /[A-Za-z0-9_.-]*EXAMPLE[A-Za-z0-9_-]*/g,
  ) ?? [];

let total = 0;
let added = 0;

for (const source of sources)
  describe(source.file, () => {
    const servers = count(source.text);
    const result = runImport([source]);
    const gone = result.dropped.filter((d) => !("key" in d));
    total += servers.length;
    added += result.add.length;

    it("has every server in exactly one place", () => {
      for (const { name } of servers)
        expect(
          [
            ...result.add.map((a) => a.renamedFrom ?? a.name),
            ...result.keep.map((k) => k.name),
            ...gone.map((d) => d.name),
          ].filter((n) => n === name),
          name,
        ).toHaveLength(1);
    });

    it("has reasons of the closed lists", () => {
      const words = (list: readonly string[]) => list;
      for (const d of result.dropped)
        expect(words("key" in d ? KEY_REASONS : SERVER_REASONS)).toContain(
          d.reason,
        );
      for (const k of result.keep)
        expect(words(KEEP_REASONS)).toContain(k.reason);
    });

    it("shows no secret", () => {
      const shown = JSON.stringify(result);
      for (const secret of secretsOf(servers))
        expect(shown).not.toContain(secret);
    });

    it("changes no word, no URL and no name", () => {
      for (const { name, entry } of servers) {
        const row = result.add.find((a) => (a.renamedFrom ?? a.name) === name);
        if (row === undefined || !isObject(entry)) continue;
        const inner = isObject(entry["transport"]) ? entry["transport"] : entry;
        if (row.transport === "http")
          expect(row.url).toBe(
            inner["url"] ?? inner["httpUrl"] ?? inner["serverUrl"],
          );
        else {
          const words = [inner["command"], inner["args"] ?? []].flat(2);
          [row.command, ...row.args].forEach((word, i) => {
            // A reference is written in our form, a secret becomes one; all around them is as it was.
            let rest = String(words[i]);
            for (const piece of word.split(/\$\{[A-Za-z_]\w*\}/)) {
              const text = piece.replaceAll("$$", "$");
              expect(rest).toContain(text);
              rest = rest.slice(rest.indexOf(text) + text.length);
            }
            if (!word.includes("${")) expect(word).toBe(words[i] + "");
          });
          expect(row.args).toHaveLength(words.length - 1);
          const env = inner["env"] ?? inner["environment"];
          expect(row.env).toEqual(isObject(env) ? Object.keys(env) : []);
        }
      }
    });
  });

if (sources.length > 0)
  it("at least 85 in 100 servers are added", () => {
    expect(total).toBeGreaterThan(400);
    expect(added / total).toBeGreaterThanOrEqual(0.85);
  });

it("the counter of this test sees what a person would", () => {
  expect(
    count('{// x\n"mcpServers": {"a": {"command": "x",},}, /* y */ }'),
  ).toEqual([{ name: "a", entry: { command: "x" } }]);
  expect(count('{"a": {"url": "https://a.example//b"}}')).toHaveLength(1);
  expect(count('{"servers": [{"name": "a"}]}')).toHaveLength(1);
  expect(count('{"a": 1}')).toEqual([]);
});
