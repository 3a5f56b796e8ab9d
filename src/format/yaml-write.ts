// New YAML text for values that Fenzi adds to a file: flow style when it is short, block style otherwise, strings
// quoted only when some YAML reader would take them for something else. Pure.
import { parse } from "yaml";

export type YamlValue =
  | string
  | number
  | boolean
  | readonly YamlValue[]
  | { readonly [key: string]: YamlValue };

/** A flow value longer than this, with its key and indentation, is written in block style. */
const LINE = 120;

export interface BlockStyle {
  /** The blanks before the item. */
  readonly indent: string;
  /** The further blanks of each level below it. */
  readonly step: string;
}

const isList = (value: YamlValue): value is readonly YamlValue[] =>
  Array.isArray(value);

/** Text that stands for the value on one line. `inFlow`: between brackets, where `,` and `]` end a plain string. */
export function flowText(value: YamlValue, inFlow: boolean): string {
  if (typeof value === "string") return scalarText(value, inFlow);
  if (typeof value !== "object") return String(value);
  if (isList(value))
    return `[${value.map((item) => flowText(item, true)).join(", ")}]`;
  const pairs = Object.entries(value).map(([key, item]) =>
    pairText(key, item, true),
  );
  return pairs.length === 0 ? "{}" : `{ ${pairs.join(", ")} }`;
}

/** `key: value` on one line. */
export const pairText = (
  key: string,
  value: YamlValue,
  inFlow: boolean,
): string => `${scalarText(key, inFlow)}: ${flowText(value, inFlow)}`;

/** The lines of `key: value` in a block mapping; the first `levels` levels are never on one line. */
export function pairLines(
  key: string,
  value: YamlValue,
  style: BlockStyle,
  levels = 0,
): readonly string[] {
  const line = `${style.indent}${pairText(key, value, false)}`;
  const inner = bodyLines(
    value,
    { ...style, indent: style.indent + style.step },
    levels - 1,
  );
  if (inner.length === 0 || (levels <= 0 && line.length <= LINE)) return [line];
  return [`${style.indent}${scalarText(key, false)}:`, ...inner];
}

/** The lines of what stands below a key in block style; none for a value that has no block style. */
export function bodyLines(
  value: YamlValue,
  style: BlockStyle,
  levels = 0,
): readonly string[] {
  if (typeof value !== "object") return [];
  if (isList(value))
    return value.map((item) => `${style.indent}- ${flowText(item, false)}`);
  return Object.entries(value).flatMap(([key, item]) =>
    pairLines(key, item, style, levels),
  );
}

/** Plain when every reader takes it for this very string, otherwise in double quotes. */
function scalarText(text: string, inFlow: boolean): string {
  return isPlain(text, inFlow) ? text : quoted(text);
}

// The parser is asked, under both versions of YAML and inside a mapping and a list: `no`, `1.10`, `~`, `0x1f`, `12:30`,
// `<<`, `a: b` and `x #y` are not the strings they look like in at least one of them.
function isPlain(text: string, inFlow: boolean): boolean {
  // Words of six characters and more are none of the special ones; most names and options are such.
  if (/^-{0,2}[A-Za-z][A-Za-z0-9_./-]{5,}$/.test(text)) return true;
  if (
    !/^[\p{L}\p{M}\p{N}\p{P}\p{S}]+(?: [\p{L}\p{M}\p{N}\p{P}\p{S}]+)*$/u.test(
      text,
    )
  )
    return false;
  if (/^[=?:%@`]|^(?:---|\.\.\.)$|:$/.test(text)) return false;
  if (inFlow && /[,[\]{}]|:[,[\]{}]/.test(text)) return false;
  return (["1.1", "1.2"] as const).every(
    (version) =>
      readsAs(`k: ${text}`, version, (value) => value?.["k"] === text) &&
      readsAs(`? ${text}\n: v`, version, (value) => value?.[text] === "v") &&
      (!inFlow ||
        readsAs(`[${text}]`, version, (value) => value?.[0] === text)),
  );
}

function readsAs(
  source: string,
  version: "1.1" | "1.2",
  is: (value: Record<string | number, unknown> | null) => boolean,
): boolean {
  try {
    const value: unknown = parse(source, { version, logLevel: "error" });
    return (
      typeof value === "object" &&
      value !== null &&
      Object.keys(value).length === 1 &&
      is(value as Record<string | number, unknown>)
    );
  } catch {
    return false;
  }
}

// JSON's escapes are YAML's too. Beyond them: what YAML calls not printable, other line breaks, and the byte order mark.
const quoted = (text: string): string =>
  JSON.stringify(text).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
