// How much one file may hold. A repository can bring any file of one mebibyte, and rules are compared with each other.
import { report } from "../diagnostics/catalog.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { MOST_CHARACTERS } from "../match/tool-pattern.ts";
import type { Path, Source } from "../source/source-file.ts";

const MOST_SERVERS = 1000;
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
    let own = 0;
    for (const [list, rules] of entriesOf(memberOf(entry, "tools"))) {
      if (!Array.isArray(rules)) continue;
      own += rules.length;
      const path = ["mcp", name, "tools", list];
      if (own > MOST_RULES_OF_ONE)
        return tooMany("tool rules of one server", MOST_RULES_OF_ONE, ...path);
      const long = rules.findIndex(
        (rule) => typeof rule === "string" && rule.length > MOST_CHARACTERS,
      );
      if (long >= 0)
        return tooMany(
          "characters in a tool rule",
          MOST_CHARACTERS,
          ...path,
          long,
        );
    }
    all += own;
    if (all > MOST_RULES)
      return tooMany("tool rules in one file", MOST_RULES, "mcp");
  }
  return [];
}

const memberOf = (value: unknown, key: string): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)[key]
    : undefined;

const entriesOf = (value: unknown): readonly (readonly [string, unknown])[] =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.entries(value)
    : [];
