// When two entries define the same server: equal in everything that says what the server is, however it is written.
import { parseTemplate, printTemplate } from "../match/template.ts";
import { parseConfiguredUrl } from "../match/socket-url.ts";
import type { ServerEntry } from "../../schemas/fenzi.ts";

/** Equal exactly for entries that define the same server. What narrows it (`enabled`, `tools`) does not count. */
export function definition(entry: ServerEntry): string {
  const url = entry.url === undefined ? null : parseConfiguredUrl(entry.url);
  const token = entry.token ?? null;
  return JSON.stringify([
    url === null ? null : "value" in url ? url.value.url : entry.url,
    entry.command?.map(canonical) ?? null,
    pairs(entry.env, (name) => name),
    pairs(entry.headers, (name) => name.toLowerCase()),
    token === null || token === true ? token : token.header.toLowerCase(),
    entry.cwd ?? null,
  ]);
}

/** The same, with what narrows the server. */
export const wholeDefinition = (entry: ServerEntry): string =>
  JSON.stringify([
    definition(entry),
    entry.enabled ?? true,
    entry.tools ?? null,
  ]);

/** `$` has two spellings. */
function canonical(text: string): string {
  const read = parseTemplate(text);
  return "template" in read ? printTemplate(read.template) : text;
}

const pairs = (
  values: Readonly<Record<string, string>> | undefined,
  fold: (name: string) => string,
): readonly (readonly [string, string])[] =>
  Object.entries(values ?? {})
    .map(([name, value]) => [fold(name), canonical(value)] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
