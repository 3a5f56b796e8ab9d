// Which servers a file of an agent's brings, read tolerantly: names, places, and whether an entry is one of ours or only a
// switch. What an entry says beyond that is for the agent.
import type { Result, Span } from "../diagnostics/diagnostic.ts";
import { isGuardEntry } from "../match/guard-entry.ts";
import {
  items,
  members,
  nodeAt,
  plain,
  readJson,
  type JsonNode,
} from "./json-text.ts";
import { readToml, type TomlEntry } from "./toml-text.ts";

export interface FoundServer {
  readonly name: string;
  readonly at: Span;
  /** "switch": it says whether a server of that name is on, and nothing of the server. */
  readonly kind: "server" | "guard" | "switch";
  /** Null when the entry does not say. */
  readonly enabled: boolean | null;
}

type Keys = readonly (readonly string[])[];

export const serversIn = (
  file: string,
  text: string,
  format: "json" | "toml",
  keys: Keys,
): Result<readonly FoundServer[]> =>
  format === "json" ? inJson(file, text, keys) : inToml(file, text, keys);

/** The strings in the lists under these keys of a JSON file; what does not parse has none. */
export function namesIn(
  file: string,
  text: string,
  keys: Keys,
): readonly string[] {
  const root = readJson(file, text, "agent/not-parsed").value?.root ?? null;
  return keys.flatMap((path) =>
    items(nodeAt(root, path)).flatMap((node) =>
      node.type === "string" ? [String(node.value)] : [],
    ),
  );
}

function inJson(
  file: string,
  text: string,
  keys: Keys,
): Result<readonly FoundServer[]> {
  const read = readJson(file, text, "agent/not-parsed");
  if (read.value === null)
    return { value: null, diagnostics: read.diagnostics };
  const { root, span } = read.value;
  const holds = (path: readonly string[], key: string, node: JsonNode) =>
    !members(node).some((m) => OF_A_SERVER.has(m.key)) &&
    keys.some((k) => JSON.stringify(k) === JSON.stringify([...path, key]));
  const found = keys.flatMap((path) =>
    members(nodeAt(root, path))
      .filter(
        ({ key, value }) => value.type === "object" && !holds(path, key, value),
      )
      .map(({ key, keyNode, value }) => {
        const says = plain(value) as Record<string, unknown>;
        return {
          name: key,
          at: span(keyNode),
          kind: kindOf(Object.keys(says), isGuardEntry(says, key, false)),
          enabled: enabledIn(says["enabled"], says["disabled"]),
        };
      }),
  );
  return { value: found, diagnostics: [] };
}

const OF_A_SERVER = new Set(["type", "command", "url", "enabled", "disabled"]);
const SWITCHES = new Set(["enabled", "disabled"]);

const kindOf = (
  keys: readonly string[],
  isGuard: boolean,
): FoundServer["kind"] =>
  isGuard
    ? "guard"
    : keys.length > 0 && keys.every((key) => SWITCHES.has(key))
      ? "switch"
      : "server";

const enabledIn = (enabled: unknown, disabled: unknown): boolean | null =>
  typeof enabled === "boolean"
    ? enabled
    : typeof disabled === "boolean"
      ? !disabled
      : null;

function inToml(
  file: string,
  text: string,
  keys: Keys,
): Result<readonly FoundServer[]> {
  const read = readToml(file, text);
  if (read.value === null)
    return { value: null, diagnostics: read.diagnostics };
  const byName = new Map<string, TomlEntry[]>();
  for (const entry of read.value.entries)
    for (const path of keys) {
      const name = entry.path[path.length];
      if (name === undefined || path.some((key, i) => entry.path[i] !== key))
        continue;
      byName.set(name, [...(byName.get(name) ?? []), relative(entry, path)]);
    }
  return {
    value: [...byName].map(([name, entries]) => ofEntries(name, entries)),
    diagnostics: [],
  };
}

const relative = (entry: TomlEntry, path: readonly string[]): TomlEntry => ({
  ...entry,
  path: entry.path.slice(path.length),
});

function ofEntries(name: string, entries: readonly TomlEntry[]): FoundServer {
  const own = entries.find((e) => e.path.length === 1) ?? entries[0];
  const valueOf = (key: string) =>
    entries.find((e) => e.path.length === 2 && e.path[1] === key)?.value;
  const said = valueOf("enabled");
  return {
    name,
    at: own?.at ?? NOWHERE,
    kind: kindOf(
      entries.flatMap((e) => e.path[1] ?? []),
      isGuardEntry(
        { command: textOf(valueOf("command")), args: listOf(valueOf("args")) },
        name,
        false,
      ),
    ),
    enabled: said === undefined ? null : said !== "false",
  };
}

const NOWHERE: Span = {
  file: "",
  start: { line: 1, column: 1, offset: 0 },
  end: { line: 1, column: 1, offset: 0 },
};

/** A string of TOML without escapes; anything else is none of ours. */
const textOf = (value: string | undefined): string | undefined =>
  /^(["'])([^"'\\]*)\1$/.exec(value ?? "")?.[2];

const listOf = (value: string | undefined): readonly unknown[] =>
  /^\[[^[\]]*\]$/.test(value ?? "")
    ? [...(value ?? "").matchAll(/(["'])[^"'\\]*\1/g)].map((m) => textOf(m[0]))
    : [];
