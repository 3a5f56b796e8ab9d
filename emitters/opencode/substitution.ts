// OpenCode replaces `{env:NAME}` and `{file:PATH}` in the text of its file before it parses it. So a reference is that form,
// unquoted, and the brace of the same words meant literally is written as `\u007b`, which only the parser turns back.
import { quoteJson } from "../../src/format/json.ts";
import type { Json, JsonValue, Template } from "../../src/model/model.ts";

// No value can hold NUL, so it marks in a string what OpenCode shall replace until the file is printed.
const MARK = "\0";

export const variable = (name: string): string => `${MARK}env:${name}${MARK}`;

export const written = (template: Template): string =>
  template
    .map((part) =>
      "literal" in part ? part.literal : variable(part.reference),
    )
    .join("");

/** Prints one string of the file: marked parts as substitutions, everything else so that nothing is replaced in it. */
export const quote = (text: string): string =>
  `"${text
    .split(MARK)
    .map((part, i) =>
      i % 2 === 1
        ? `{${part}}`
        : quoteJson(part)
            .slice(1, -1)
            .replace(/\{(?=(?:env|file):)/g, "\\u007b"),
    )
    .join("")}"`;

const SUBSTITUTION = /\{((?:env|file):[^}]+)\}/g;

/** Native settings are written for OpenCode: their substitutions stay. */
export const markSettings = (settings: Json): Json =>
  mapStrings(settings, (text) =>
    text.replace(SUBSTITUTION, `${MARK}$1${MARK}`),
  ) as Json;

/** The variables that native settings refer to. */
export function variablesOf(settings: Json): readonly string[] {
  const names: string[] = [];
  mapStrings(settings, (text) => {
    for (const match of text.matchAll(SUBSTITUTION))
      if (match[1]?.startsWith("env:") === true) names.push(match[1].slice(4));
    return text;
  });
  return names;
}

function mapStrings(
  value: JsonValue,
  change: (text: string) => string,
): JsonValue {
  if (typeof value === "string") return change(value);
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value))
    return value.map((item: JsonValue) => mapStrings(item, change));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, mapStrings(item, change)]),
  );
}
