// How much one file may hold. A repository can bring any file of one mebibyte, and rules are compared with each other.
import { report } from "../diagnostics/catalog.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { MOST_CHARACTERS } from "../match/tool-pattern.ts";
import type { Path, Source } from "../source/source-file.ts";

const MOST_SERVERS = 1000;
const MOST_MEMBERS = 1000;
const MOST_RULES = 5000;
const MOST_RULES_OF_ONE = 1000;

/** The first thing that is too much, before anything is known about the file's shape. */
export function checkSize(source: Source): readonly Diagnostic[] {
  const tooMany = (what: string, most: number, ...path: Path) => [
    report(
      "schema/too-many",
      { what, most },
      { at: source.locate(path, "key") },
    ),
  ];
  const servers = entriesOf(memberOf(source.value, "mcp"));
  if (servers.length > MOST_SERVERS)
    return tooMany("servers in one file", MOST_SERVERS, "mcp");
  let all = 0;
  for (const [name, entry] of servers) {
    for (const key of ["command", "env", "headers"])
      if (sizeOf(memberOf(entry, key)) > MOST_MEMBERS)
        return tooMany(`members of \`${key}\``, MOST_MEMBERS, "mcp", name, key);
    let own = 0;
    const lists = ["tools", "paths", "hosts"].flatMap((key) =>
      entriesOf(memberOf(entry, key)).map(([list, rules]) => ({
        path: ["mcp", name, key, list],
        rules,
      })),
    );
    for (const { path, rules } of lists) {
      if (!Array.isArray(rules)) continue;
      own += rules.length;
      if (own > MOST_RULES_OF_ONE)
        return tooMany("rules of one server", MOST_RULES_OF_ONE, ...path);
      const long = rules.findIndex(
        (rule) => typeof rule === "string" && rule.length > MOST_CHARACTERS,
      );
      if (long >= 0)
        return tooMany("characters in a rule", MOST_CHARACTERS, ...path, long);
    }
    all += own;
    if (all > MOST_RULES)
      return tooMany("rules in one file", MOST_RULES, "mcp");
  }
  for (const path of [
    ["private"],
    ["secrets", "refuse"],
    ["secrets", "redact"],
  ]) {
    const rules = path.reduce<unknown>(memberOf, source.value);
    if (sizeOf(rules) > MOST_MEMBERS)
      return tooMany(`members of \`${path.at(-1)}\``, MOST_MEMBERS, ...path);
  }
  return [];
}

const memberOf = (value: unknown, key: string): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)[key]
    : undefined;

const sizeOf = (value: unknown): number =>
  Array.isArray(value) ? value.length : entriesOf(value).length;

const entriesOf = (value: unknown): readonly (readonly [string, unknown])[] =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.entries(value)
    : [];
