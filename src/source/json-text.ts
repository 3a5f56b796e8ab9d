// JSON as tools write it: with comments, trailing commas, a BOM. Text to a tree whose nodes know their place; whatever
// the tree means is for others. A broken text gives a position and a reason, never a piece of it.
import {
  parseTree,
  printParseErrorCode,
  type Node,
  type ParseError,
} from "jsonc-parser";
import { report } from "../diagnostics/catalog.ts";
import type { Result, Span } from "../diagnostics/diagnostic.ts";
import { positions } from "./source-file.ts";

export type JsonNode = Node;

export interface JsonText {
  readonly file: string;
  /** An object; null when there is nothing but blanks and comments. */
  readonly root: JsonNode | null;
  readonly span: (node: JsonNode) => Span;
  /** True when a strict JSON parser would refuse the text. */
  readonly lenient: boolean;
  /** A string's text, or a number or truth value as it is written. */
  readonly textOf: (node: JsonNode) => string;
}

export interface Member {
  readonly key: string;
  readonly keyNode: JsonNode;
  readonly value: JsonNode;
}

const DEEPEST = 100;

const REASONS: Readonly<Record<string, string>> = {
  InvalidSymbol: "there is a word or a sign that JSON does not have",
  InvalidNumberFormat: "a number is not written as JSON numbers are",
  PropertyNameExpected: "a key in double quotes is missing",
  ValueExpected: "a value is missing",
  ColonExpected: "a colon is missing",
  CommaExpected: "a comma is missing",
  CloseBraceExpected: "a closing brace is missing",
  CloseBracketExpected: "a closing bracket is missing",
  EndOfFileExpected: "something follows after the end",
  UnexpectedEndOfComment: "a comment has no end",
  UnexpectedEndOfString: "a string has no closing quote",
  UnexpectedEndOfNumber: "a number is not complete",
  InvalidUnicode: "an escape for a character is not complete",
  InvalidEscapeCharacter: "there is no such escape in a string",
  InvalidCharacter: "a string holds a control character",
};

/** `code`: what a text that does not parse is called. */
export function readJson(
  file: string,
  source: string,
  code: "import/not-json" | "agent/not-parsed" = "import/not-json",
): Result<JsonText> {
  const text = source.replace(/^\uFEFF/, "");
  const at = positions(text);
  const span = (offset: number, length: number): Span => ({
    file,
    start: at(offset),
    end: at(offset + length),
  });
  const refuse = (reason: string, offset: number, length: number) => ({
    value: null,
    diagnostics: [report(code, { reason }, { at: span(offset, length) })],
  });
  const deep = tooDeepAt(text);
  if (deep >= 0)
    return refuse(`it is nested more than ${DEEPEST} levels deep`, deep, 1);
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, {
    allowTrailingComma: true,
    allowEmptyContent: true,
  });
  const first = errors[0];
  if (first !== undefined)
    return refuse(
      REASONS[printParseErrorCode(first.error)] ?? "it cannot be read",
      first.offset,
      first.length,
    );
  if (root !== undefined && root.type !== "object")
    return refuse("the whole of it is not an object", root.offset, 1);
  const strict: ParseError[] = [];
  parseTree(text, strict, { disallowComments: true, allowEmptyContent: true });
  return {
    value: {
      file,
      root: root ?? null,
      span: (node) => span(node.offset, node.length),
      lenient: strict.length > 0,
      textOf: (node) =>
        node.type === "string"
          ? String(node.value)
          : text.slice(node.offset, node.offset + node.length),
    },
    diagnostics: [],
  };
}

/** The offset at which the text is nested too deep for the parser, which calls itself for each level; or -1. */
function tooDeepAt(text: string): number {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (c === '"') i = endOfString(text, i);
    else if (c === "/" && text[i + 1] === "/") i = endOr(text, "\n", i);
    else if (c === "/" && text[i + 1] === "*") i = endOr(text, "*/", i + 2);
    else if (c === "{" || c === "[") {
      if (++depth > DEEPEST) return i;
    } else if (c === "}" || c === "]") depth--;
  }
  return -1;
}

const endOr = (text: string, end: string, from: number): number => {
  const found = text.indexOf(end, from);
  return found < 0 ? text.length : found;
};

function endOfString(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    if (text[i] === "\\") i++;
    else if (text[i] === '"' || text[i] === "\n") return i;
  }
  return text.length;
}

/** The members of an object in order; none for any other node. A repeated key stands here twice. */
export const members = (node: JsonNode | null): readonly Member[] =>
  node?.type !== "object"
    ? []
    : (node.children ?? []).flatMap(({ children }) => {
        const [keyNode, value] = children ?? [];
        return keyNode === undefined || value === undefined
          ? []
          : [{ key: String(keyNode.value), keyNode, value }];
      });

export const items = (node: JsonNode | null): readonly JsonNode[] =>
  node?.type === "array" ? (node.children ?? []) : [];

export const member = (node: JsonNode | null, key: string): JsonNode | null =>
  members(node).find((m) => m.key === key)?.value ?? null;

/** The value under these keys, or null. */
export const nodeAt = (
  root: JsonNode | null,
  path: readonly string[],
): JsonNode | null => path.reduce(member, root);

/** Plain values; objects without a prototype, so that no key means anything to the language. */
export function plain(node: JsonNode): unknown {
  if (node.type === "array") return items(node).map(plain);
  if (node.type !== "object") return node.value as unknown;
  const out = Object.create(null) as Record<string, unknown>;
  for (const { key, value } of members(node)) out[key] = plain(value);
  return out;
}

/** The first two members of one object that have the same key, at any depth. */
export function repeatedKey(node: JsonNode): readonly [Member, Member] | null {
  const seen = new Map<string, Member>();
  for (const next of members(node)) {
    const twin = seen.get(next.key);
    if (twin !== undefined) return [twin, next];
    seen.set(next.key, next);
  }
  const inside =
    node.type === "array" ? items(node) : members(node).map((m) => m.value);
  for (const child of inside) {
    const found = repeatedKey(child);
    if (found !== null) return found;
  }
  return null;
}
