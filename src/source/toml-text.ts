// TOML as agents' own files have it: the text to its tables and keys with their places. Values stay text. Nothing of a
// foreign file becomes a name of JavaScript's: keys are handed to the TOML parser, which judges the rest, under names of ours.
import { parse } from "@iarna/toml";
import { report } from "../diagnostics/catalog.ts";
import type { Result, Span } from "../diagnostics/diagnostic.ts";
import { positions } from "./source-file.ts";

export interface TomlEntry {
  /** From the root on, keys of inline tables included. */
  readonly path: readonly string[];
  readonly kind: "table" | "array" | "key";
  /** Whether the line stands before every header. */
  readonly atRoot: boolean;
  /** Where its name stands. */
  readonly at: Span;
  /** The value as it is written; empty for a header. */
  readonly value: string;
}

interface TomlText {
  readonly file: string;
  readonly entries: readonly TomlEntry[];
}

const DEEPEST = 100;

interface Part {
  readonly start: number;
  readonly end: number;
  readonly name: string;
}

/** `source` without a byte order mark, or with one. */
export function readToml(file: string, source: string): Result<TomlText> {
  const text = source.replace(/^\uFEFF/, "");
  const at = positions(text);
  const span = (start: number, end: number): Span => ({
    file,
    start: at(start),
    end: at(end),
  });
  const found: { readonly entry: TomlEntry; readonly parts: Part[] }[] = [];
  const refuse = (reason: string, start: number): Result<TomlText> => ({
    value: null,
    diagnostics: [
      report("agent/not-parsed", { reason }, { at: span(start, start + 1) }),
    ],
  });
  try {
    scan(text, (path, parts, kind, atRoot, value) =>
      found.push({
        entry: {
          path,
          kind,
          atRoot,
          at: span(parts[0]?.start ?? 0, parts.at(-1)?.end ?? 0),
          value,
        },
        parts: [...parts],
      }),
    );
    parse(
      renamed(
        text,
        found.flatMap((f) => f.parts),
      ),
    );
  } catch (error) {
    const { offset, message, line } = error as Partial<Stopped> & {
      readonly message: string;
      readonly line?: number;
    };
    if (offset !== undefined) return refuse(message, offset);
    return refuse("it is not valid TOML here", startOf(text, line ?? 0));
  }
  return {
    value: {
      file,
      entries: found
        .map((f) => f.entry)
        .sort((a, b) => a.at.start.offset - b.at.start.offset),
    },
    diagnostics: [],
  };
}

/**
 * The text for the parser. It writes onto what every object inherits when a key has such a name, and takes the first half
 * of a CRLF behind a comment for a control character.
 */
function renamed(text: string, parts: readonly Part[]): string {
  const names = new Map<string, string>();
  const out: string[] = [];
  let from = 0;
  for (const { start, end, name } of parts.toSorted(
    (a, b) => a.start - b.start,
  )) {
    const known = names.get(name) ?? `k${names.size}`;
    names.set(name, known);
    out.push(text.slice(from, start), known);
    from = end;
  }
  return (out.join("") + text.slice(from)).replaceAll("\r\n", "\n");
}

const startOf = (text: string, line: number): number => {
  let at = 0;
  for (let i = 0; i < line; i++) {
    const next = text.indexOf("\n", at);
    if (next < 0) break;
    at = next + 1;
  }
  return at;
};

interface Stopped {
  readonly offset: number;
}

const stop = (reason: string, offset: number): Error & Stopped =>
  Object.assign(new Error(reason), { offset });

type Found = (
  path: readonly string[],
  parts: readonly Part[],
  kind: TomlEntry["kind"],
  atRoot: boolean,
  value: string,
) => void;

/** Calls `found` for every header and key in order. Throws an error with `offset` where the text is no TOML. */
function scan(text: string, found: Found): void {
  let i = 0;
  const blanks = () => {
    while (text[i] === " " || text[i] === "\t") i++;
  };
  const comment = () => {
    if (text[i] === "#") while (i < text.length && text[i] !== "\n") i++;
  };
  const lines = () => {
    for (;;) {
      blanks();
      comment();
      if (text[i] === "\n") i++;
      else if (text[i] === "\r" && text[i + 1] === "\n") i += 2;
      else return;
    }
  };
  const endOfLine = () => {
    blanks();
    comment();
    if (text[i] === "\r" && text[i + 1] === "\n") i++;
    if (i < text.length && text[i] !== "\n")
      throw stop("the line must end here", i);
  };

  const key = (): Part[] => {
    const parts: Part[] = [];
    for (;;) {
      blanks();
      const start = i;
      const quote = text[i];
      let name: string;
      if (quote === '"' || quote === "'") {
        string();
        const inside = text.slice(start + 1, i - 1);
        if (text.startsWith(quote.repeat(3), start))
          throw stop("a key is one line", start);
        name = quote === '"' ? unescaped(inside, start) : inside;
      } else {
        const bare = /[A-Za-z0-9_-]*/y;
        bare.lastIndex = i;
        name = bare.exec(text)?.[0] ?? "";
        if (name === "") throw stop("a key is missing", i);
        i += name.length;
      }
      parts.push({ start, end: i, name });
      blanks();
      if (text[i] !== ".") return parts;
      i++;
    }
  };

  const string = () => {
    const start = i;
    const quote = text[i] ?? "";
    const escapes = quote === '"';
    const many = text.startsWith(quote.repeat(3), i);
    i += many ? 3 : 1;
    for (; i < text.length; i++) {
      if (escapes && text[i] === "\\") i++;
      else if (!many && text[i] === "\n") break;
      else if (many && text.startsWith(quote.repeat(3), i)) {
        i += 3;
        // Up to two quotes may stand before the three.
        for (let more = 0; more < 2 && text[i] === quote; more++) i++;
        return;
      } else if (!many && text[i] === quote) {
        i++;
        return;
      }
    }
    throw stop("a string has no end", start);
  };

  const value = (
    path: readonly string[],
    atRoot: boolean,
    depth: number,
  ): string => {
    if (depth > DEEPEST)
      throw stop(`it is nested more than ${DEEPEST} levels deep`, i);
    const start = i;
    const first = text[i];
    if (first === '"' || first === "'") string();
    else if (first === "[") {
      i++;
      for (lines(); text[i] !== "]"; lines()) {
        value(path, atRoot, depth + 1);
        lines();
        if (text[i] === ",") i++;
        else if (text[i] !== "]") throw stop("a list has no end", i);
      }
      i++;
    } else if (first === "{") {
      i++;
      for (lines(); text[i] !== "}"; lines()) {
        assignment(path, atRoot, depth + 1);
        lines();
        if (text[i] === ",") i++;
        else if (text[i] !== "}") throw stop("an inline table has no end", i);
      }
      i++;
    } else {
      const bare = /\d{4}-\d\d-\d\d \d[0-9:.Z+-]*|[A-Za-z0-9_+.:-]+/y;
      bare.lastIndex = i;
      const word = bare.exec(text)?.[0] ?? "";
      if (word === "") throw stop("a value is missing", i);
      i += word.length;
    }
    return text.slice(start, i);
  };

  const assignment = (
    table: readonly string[],
    atRoot: boolean,
    depth: number,
  ) => {
    const parts = key();
    if (text[i] !== "=") throw stop("`=` is missing", i);
    i++;
    blanks();
    const path = [...table, ...parts.map((p) => p.name)];
    found(path, parts, "key", atRoot, value(path, atRoot, depth));
  };

  let table: readonly string[] = [];
  let atRoot = true;
  for (lines(); i < text.length; lines()) {
    if (text[i] === "[") {
      const array = text[i + 1] === "[";
      i += array ? 2 : 1;
      const parts = key();
      const close = array ? "]]" : "]";
      if (!text.startsWith(close, i)) throw stop(`\`${close}\` is missing`, i);
      i += close.length;
      table = parts.map((p) => p.name);
      atRoot = false;
      found(table, parts, array ? "array" : "table", false, "");
    } else assignment(table, atRoot, 0);
    endOfLine();
  }
}

const SHORT: Readonly<Record<string, string>> = {
  b: "\b",
  t: "\t",
  n: "\n",
  f: "\f",
  r: "\r",
  '"': '"',
  "\\": "\\",
};

const unescaped = (text: string, offset: number): string =>
  text.replace(
    /\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|([^]))/g,
    (_, four?: string, eight?: string, short = "") => {
      const code = four ?? eight;
      if (code !== undefined && parseInt(code, 16) <= 0x10ffff)
        return String.fromCodePoint(parseInt(code, 16));
      const known = Object.hasOwn(SHORT, short) ? SHORT[short] : undefined;
      if (known === undefined)
        throw stop("there is no such escape in a key", offset);
      return known;
    },
  );
