// TOML 1.0 as Fenzi prints it into files: keys sorted, every string on one line, invisible characters escaped.
// @iarna/toml 3.0.0 lays out the tables; what it prints wrongly (strings with two control characters, quotes beside a
// control character, numbers with an exponent, lists that begin with a table and hold something else) goes in under a mark.
// That the text says what it was made from is a law of the tests: parsing it here would cost a tenth of `fenzi compile`.
import { stringify } from "@iarna/toml";
import { InternalError } from "../diagnostics/diagnostic.ts";
import type { Json, JsonValue } from "../model/model.ts";

type Layout = Parameters<typeof stringify>[0];

// Private characters around a number; a text that holds one itself goes in under a mark.
const MARKED = /"\u{e000}(\d+)\u{e001}"/gu;
/** What @iarna/toml prints as it stands. */
const PLAIN = /^[ !#-&(-[\]-~]*$/;
const ESCAPED =
  /["\\]|(?! )[\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}]/gu;
const SHORT: Readonly<Record<string, string>> = {
  '"': '\\"',
  "\\": "\\\\",
  "\b": "\\b",
  "\t": "\\t",
  "\n": "\\n",
  "\f": "\\f",
  "\r": "\\r",
};

/** The text of a file. `heading` becomes a comment on its first line. */
export function printToml(table: Json, heading: string): string {
  const held: string[] = [];
  const hold = (text: string) => `\u{e000}${held.push(text) - 1}\u{e001}`;
  const restore = (text: string) =>
    text.replace(MARKED, (_, i: string) => held[Number(i)] ?? "");

  const key = (name: string) => (PLAIN.test(name) ? name : hold(quote(name)));
  const layOut = (value: JsonValue): unknown => {
    if (value === null) throw new InternalError("TOML has no null");
    if (typeof value === "string")
      return PLAIN.test(value) ? value : hold(quote(value));
    if (typeof value === "number")
      return Number.isSafeInteger(value) ? value : hold(printNumber(value));
    if (Array.isArray(value)) {
      const items = value.map(layOut);
      return isTable(value[0]) && !value.every(isTable) ? inline(items) : items;
    }
    if (!isTable(value)) return value;
    return Object.fromEntries(
      Object.keys(value)
        .sort()
        .map((name) => {
          const member = layOut(value[name] ?? null);
          return [
            key(name),
            isTable(member) && name in Object.prototype
              ? inline(member)
              : member,
          ];
        }),
    );
  };
  // Also a table whose name every object inherits: the parser takes `[x.constructor]` for the inherited function.
  const inline = (value: unknown) =>
    hold(restore(stringify.value(value as never)));

  const body = restore(stringify(layOut(table) as Layout)).trimEnd();
  return `# ${heading}\n${body === "" ? "" : `\n${body}\n`}`;
}

const isTable = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function quote(text: string): string {
  // It has no UTF-8 form. Nothing of it comes out of a file.
  if (!text.isWellFormed())
    throw new InternalError("half of a surrogate pair in a string");
  const inside = text.replace(ESCAPED, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16);
    return (
      SHORT[character] ??
      (code.length > 4
        ? `\\U${code.padStart(8, "0")}`
        : `\\u${code.padStart(4, "0")}`)
    );
  });
  return `"${inside}"`;
}

/** A number that is no safe integer. From 2^63 on it is no integer of TOML's. */
function printNumber(value: number): string {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
  return Math.abs(value) < 2 ** 63 ? String(value) : value.toExponential();
}
