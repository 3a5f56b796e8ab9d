// JSON as Fenzi prints it into files: two blanks a level, keys in the given order, nothing that an editor or a terminal
// would hide or act on.
import type { JsonValue } from "../model/model.ts";

/** Everything that is not visible: controls, separators, bidirectional and zero-width characters, odd blanks. */
const INVISIBLE =
  /(?! )[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Zs}\p{Default_Ignorable_Code_Point}]/gu;

/** A JSON string in which every invisible character is written as `\uXXXX`. */
export const quoteJson = (text: string): string =>
  JSON.stringify(text).replace(INVISIBLE, (character) =>
    Array.from(
      { length: character.length },
      (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, "0")}`,
    ).join(""),
  );

/** The text of a file, with a line feed at its end. `quote` prints one string or key. */
export const printJson = (
  value: JsonValue,
  quote: (text: string) => string = quoteJson,
): string => `${print(value, quote, "")}\n`;

function print(
  value: JsonValue,
  quote: (text: string) => string,
  indent: string,
): string {
  if (typeof value === "string") return quote(value);
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const lines = isList
    ? value.map((item: JsonValue) => print(item, quote, inner))
    : Object.entries(value).map(
        ([key, item]) => `${quote(key)}: ${print(item, quote, inner)}`,
      );
  const [open, close] = isList ? "[]" : "{}";
  return lines.length === 0
    ? `${open}${close}`
    : `${open}\n${lines.map((line) => `${inner}${line}`).join(",\n")}\n${indent}${close}`;
}
