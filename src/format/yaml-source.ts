// A YAML text under edit: its parsed document, and where lines, comments and items begin and end in it. Pure.
// What is put there or taken out is `yaml-splice.ts`.
import {
  isCollection,
  isPair,
  isScalar,
  Lexer,
  parseDocument,
  type Document,
  type Node,
  type Pair,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";

export type Item = Pair<Node, Node | null>;
export type Collection = YAMLMap<Node, Node | null> | YAMLSeq<Node>;

export interface YamlSource {
  readonly text: string;
  readonly document: Document.Parsed;
  /** The line break of the file: its first one. */
  readonly eol: string;
}

export interface Problem {
  readonly problem: string;
}
export const isProblem = (value: unknown): value is Problem =>
  typeof value === "object" && value !== null && "problem" in value;

export function readYaml(text: string): YamlSource | Problem {
  let document: Document.Parsed;
  try {
    document = parseDocument(text, {
      keepSourceTokens: true,
      prettyErrors: false,
      logLevel: "error",
    });
  } catch {
    return { problem: "it is nested too deeply" };
  }
  if (document.errors.length > 0) return { problem: "it is not valid YAML" };
  return { text, document, eol: /\r?\n/.exec(text)?.[0] ?? "\n" };
}

interface Comment {
  readonly offset: number;
  readonly text: string;
}

/** All comments, in order. */
export function commentsOf(text: string): readonly Comment[] {
  const found: Comment[] = [];
  let offset = 0;
  let scalar = false;
  for (const lexeme of new Lexer().lex(text)) {
    // Three of the lexer's marks stand for no text; the last says that the next lexeme is a scalar, whatever it holds.
    if (/^[\x02\x18\x1f]$/.test(lexeme)) {
      scalar = lexeme === "\x1f";
      continue;
    }
    if (!scalar && lexeme.startsWith("#"))
      found.push({ offset, text: lexeme.trimEnd() });
    scalar = false;
    offset += lexeme.length;
  }
  return found;
}

export const lineStart = (text: string, offset: number): number =>
  text.lastIndexOf("\n", offset - 1) + 1;

/** Behind the line break that ends the line, or at the end of the text. */
export function lineEnd(text: string, offset: number): number {
  const at = text.indexOf("\n", offset);
  return at === -1 ? text.length : at + 1;
}

export const columnOf = (text: string, offset: number): number =>
  offset - lineStart(text, offset);

const rangeOf = (node: Node): readonly [number, number] => [
  node.range?.[0] ?? 0,
  node.range?.[1] ?? 0,
];

/** Where the text of an item of a collection starts: its key, or what marks it (`-`, `?`, an anchor). */
export function itemStart(collection: Collection, index: number): number {
  const item = collection.items[index];
  const token = tokenItems(collection)[index];
  const mark = token?.start.find((t) =>
    ["seq-item-ind", "explicit-key-ind", "anchor", "tag"].includes(t.type),
  );
  if (mark !== undefined) return mark.offset;
  return rangeOf((isPair(item) ? item.key : item) as Node)[0];
}

/** Where an item's text ends, without what follows it: comma, comment, line break. */
export function itemEnd(collection: Collection, index: number): number {
  const item = collection.items[index];
  if (!isPair(item)) return nodeEnd(item as Node);
  const { key, value } = item as Item;
  if (value === null) return rangeOf(key)[1];
  return Math.max(nodeEnd(value), valueStart(item as Item));
}

/** Where a value's text ends. A block collection's own range also takes in the comments below it. */
export function nodeEnd(node: Node): number {
  if (isBlock(node) && node.items.length > 0)
    return itemEnd(node, node.items.length - 1);
  return rangeOf(node)[1];
}

/** Behind the key's colon, and behind the anchor or tag of its value: where a value may be put. */
export function valueStart(item: Item): number {
  const marks = (item.srcToken?.sep ?? []).filter((t) =>
    ["map-value-ind", "anchor", "tag"].includes(t.type),
  );
  const last = marks.at(-1);
  return last === undefined
    ? rangeOf(item.key)[1]
    : last.offset + last.source.length;
}

export const isBlock = (node: unknown): node is Collection =>
  isCollection(node) && node.flow !== true;

export const isFlow = (node: unknown): node is Collection =>
  isCollection(node) && node.flow === true;

/** A value that is not written at all, as in `key:`. */
export const isBlank = (node: unknown): boolean =>
  node === null ||
  (isScalar(node) && node.value === null && node.source === "");

interface FlowItem {
  readonly start: readonly { readonly type: string; readonly offset: number }[];
}

/** The tokens of a collection's items. In flow style a comma at the end makes one more, without key and value. */
export function tokenItems(collection: Collection): readonly FlowItem[] {
  const token = collection.srcToken;
  return token !== undefined && "items" in token ? token.items : [];
}

/** The offset of the bracket that closes a flow collection. */
export function closingBracket(collection: Collection): number {
  const token = collection.srcToken;
  return token?.type === "flow-collection"
    ? (token.end[0]?.offset ?? 0)
    : rangeOf(collection)[1] - 1;
}

/**
 * The end of the lines below `from` that are comments indented by at least `column`. Blank lines between them are
 * taken in, those behind the last one are not.
 */
export function endOfComments(
  text: string,
  from: number,
  column: number,
): number {
  let end = from;
  for (let at = from; at < text.length;) {
    const next = lineEnd(text, at);
    const line = text.slice(at, next);
    const blanks = /^[ \t]*/.exec(line)?.[0].length ?? 0;
    if (line[blanks] === "#" && blanks >= column) end = next;
    else if (line.trim() !== "") break;
    at = next;
  }
  return end;
}

/** Where the line of an item's last text ends; a block scalar ends there already. */
export const endOfLines = (text: string, end: number): number =>
  text[end - 1] === "\n" ? end : lineEnd(text, end);
