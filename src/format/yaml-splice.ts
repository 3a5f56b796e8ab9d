// Splices that add an item to a YAML collection, take one out, or put another value in a value's place; block and flow
// style. Each function reads one parsed text and returns what to replace in it; nothing else of the text moves. Pure.
import { isAlias, isCollection, isMap, isPair, type Node } from "yaml";
import {
  closingBracket,
  columnOf,
  commentsOf,
  endOfComments,
  endOfLines,
  isBlank,
  isBlock,
  isFlow,
  itemEnd,
  itemStart,
  lineEnd,
  lineStart,
  nodeEnd,
  tokenItems,
  valueStart,
  type Collection,
  type Item,
  type Problem,
  type YamlSource,
} from "./yaml-source.ts";
import {
  bodyLines,
  flowText,
  pairLines,
  pairText,
  type BlockStyle,
  type YamlValue,
} from "./yaml-write.ts";

export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Splices do not overlap; those at one place are put there in the order given. */
export function applySplices(text: string, splices: readonly Splice[]): string {
  let done = "";
  let at = 0;
  for (const splice of [...splices].sort((a, b) => a.start - b.start)) {
    done += text.slice(at, splice.start) + splice.text;
    at = splice.end;
  }
  return done + text.slice(at);
}

/** What is added: a pair, or with `key: null` an item of a list. */
export interface NewItem {
  readonly key: string | null;
  readonly value: YamlValue;
  /** In block style, how many levels are never written on one line. */
  readonly levels?: number;
}

const newLines = (item: NewItem, style: BlockStyle): readonly string[] =>
  item.key === null
    ? bodyLines([item.value], style)
    : pairLines(item.key, item.value, style, item.levels);

/** Whole lines put in at the start of a line, or below a last line that has no line break. */
export function insertLines(
  source: YamlSource,
  at: number,
  lines: readonly string[],
): Splice {
  const text = lines.join(source.eol);
  const open = at > 0 && source.text[at - 1] !== "\n";
  return {
    start: at,
    end: at,
    text: open ? source.eol + text : text + source.eol,
  };
}

/** Adds an item behind the last one of a collection that has one. */
export const addItem = (
  source: YamlSource,
  collection: Collection,
  item: NewItem,
  step: string,
): readonly Splice[] =>
  isFlow(collection)
    ? addToFlow(source, collection, item)
    : [addToBlock(source, collection, item, step)];

function addToBlock(
  source: YamlSource,
  collection: Collection,
  item: NewItem,
  step: string,
): Splice {
  const { text } = source;
  const column = columnOf(text, itemStart(collection, 0));
  const last = collection.items.length - 1;
  const content = endOfLines(text, itemEnd(collection, last));
  // A list may stand as far left as its key, where a comment at its column is no longer its own.
  const at = endOfComments(
    text,
    content,
    isMap(collection) ? column : column + 1,
  );
  const lines = newLines(item, { indent: " ".repeat(column), step });
  const spaced =
    last >= 1 &&
    isSpaced(text, collection) &&
    !takesBlankLines(text, collection.items[last]);
  return insertLines(source, at, spaced ? ["", ...lines] : lines);
}

/** Whether a blank line below is a part of the value: the last thing in it is a block scalar with `+`. */
function takesBlankLines(text: string, node: unknown): boolean {
  if (isPair(node)) return takesBlankLines(text, node.value);
  if (isCollection(node)) return takesBlankLines(text, node.items.at(-1));
  const at = (node as Node | null | undefined)?.range?.[0];
  return at !== undefined && /^[|>]\d?\+/.test(text.slice(at, at + 3));
}

/** True when a blank line stands between any two items. */
const isSpaced = (text: string, collection: Collection): boolean =>
  collection.items.every(
    (_, i) =>
      i === 0 ||
      /\n[ \t]*\r?\n/.test(
        text.slice(
          endOfLines(text, itemEnd(collection, i - 1)) - 1,
          itemStart(collection, i),
        ),
      ),
  );

function addToFlow(
  source: YamlSource,
  collection: Collection,
  item: NewItem,
): readonly Splice[] {
  const { text, eol } = source;
  const added =
    item.key === null
      ? flowText(item.value, true)
      : pairText(item.key, item.value, true);
  const closing = closingBracket(collection);
  const last = collection.items.length - 1;
  if (last < 0) return fillFlow(source, collection, closing, added);

  const end = itemEnd(collection, last);
  const start = itemStart(collection, last);
  const comma = commaAfter(collection, last);
  const tail = comma === null ? end : comma + 1;
  const [before, after] = comma === null ? [",", ""] : ["", ","];
  const insert = (at: number, added: string): Splice => ({
    start: at,
    end: at,
    text: added,
  });
  const indent = text.slice(lineStart(text, start), start);
  if (indent.trim() !== "") return [insert(tail, `${before} ${added}${after}`)];
  // The last item has a line of its own, so the new one gets one, below the comment that may end that line.
  const below = `${eol}${indent}${added}${after}`;
  const lineBreak = breakBefore(text, lineEnd(text, tail));
  if (closing < lineBreak) return [insert(tail, before + below)];
  return [insert(tail, before), insert(lineBreak, below)];
}

function fillFlow(
  source: YamlSource,
  collection: Collection,
  closing: number,
  added: string,
): readonly Splice[] {
  const { text, eol } = source;
  const opening = (collection.range?.[0] ?? 0) + 1;
  const inner = text.slice(opening, closing);
  if (inner.trim() === "") {
    const pad = isMap(collection) ? " " : "";
    return [{ start: opening, end: closing, text: pad + added + pad }];
  }
  const indent =
    /^[ \t]*/.exec(text.slice(lineStart(text, closing)))?.[0] ?? "";
  return [{ start: closing, end: closing, text: `  ${added}${eol}${indent}` }];
}

const breakBefore = (text: string, lineEnd: number): number =>
  lineEnd - (/\r?\n$/.exec(text.slice(0, lineEnd).slice(-2))?.[0].length ?? 0);

const commaAfter = (collection: Collection, index: number): number | null =>
  tokenItems(collection)[index + 1]?.start.find((t) => t.type === "comma")
    ?.offset ?? null;

/** Takes an item out. `owner` is the pair whose value the collection is: without items it keeps `{}` or `[]`. */
export const removeItem = (
  source: YamlSource,
  owner: Item,
  collection: Collection,
  index: number,
): readonly Splice[] | Problem =>
  isFlow(collection)
    ? removeFromFlow(source, collection, index)
    : removeFromBlock(source, owner, collection, index);

function removeFromBlock(
  source: YamlSource,
  owner: Item,
  collection: Collection,
  index: number,
): readonly Splice[] | Problem {
  const { text } = source;
  const first = itemStart(collection, index);
  const column = columnOf(text, first);
  const content = endOfLines(text, itemEnd(collection, index));
  // Comments indented deeper than the item stand in its body, so they go with it; those above it stay.
  const end = endOfComments(text, content, column + 1);
  let start = lineStart(text, first);
  if (text.slice(start, first).trim() !== "")
    return { problem: "the entry does not begin on a line of its own" };
  const count = collection.items.length;
  const above = lineStart(text, start - 1);
  const below = text.slice(end, lineEnd(text, end));
  if (
    start > 0 &&
    text.slice(above, start).trim() === "" &&
    !takesBlankLines(text, collection.items[index - 1]) &&
    (below.trim() === "" ||
      (index === count - 1 && count > 2 && isSpaced(text, collection)))
  )
    start = above;
  if (text[end - 1] !== "\n") start = breakBefore(text, start);
  const lines: Splice = { start, end, text: "" };
  if (count > 1) return [lines];
  const at = valueStart(owner);
  const empty = isMap(collection) ? " {}" : " []";
  return [{ start: at, end: at, text: empty }, lines];
}

function removeFromFlow(
  source: YamlSource,
  collection: Collection,
  index: number,
): readonly Splice[] {
  const { text } = source;
  const cut = (start: number, end: number): Splice => ({
    start,
    end,
    text: "",
  });
  const start = itemStart(collection, index);
  const end = itemEnd(collection, index);
  const comma = commaAfter(collection, index);
  const tail = comma === null ? end : comma + 1;
  const opening = (collection.range?.[0] ?? 0) + 1;
  const closing = closingBracket(collection);
  const isLast = index === collection.items.length - 1;
  const previousComma = index === 0 ? null : commaAfter(collection, index - 1);

  if (collection.items.length === 1 && !hasComment(text, opening, closing))
    return [cut(opening, closing)];
  // The comma before an item that was the last goes too, unless the list is written with one at its end.
  const orphan =
    isLast && comma === null && previousComma !== null
      ? [cut(previousComma, previousComma + 1)]
      : [];
  const from = lineStart(text, start);
  const to = lineEnd(text, tail);
  const next = isLast ? closing : itemStart(collection, index + 1);
  if (text.slice(from, start).trim() === "" && next >= to)
    return [...orphan, cut(from, to)];
  if (!isLast) return [cut(start, hasComment(text, tail, next) ? tail : next)];
  if (previousComma === null) return [cut(start, tail)];
  const kept = comma === null ? previousComma : previousComma + 1;
  return hasComment(text, kept, start)
    ? [...orphan, cut(start, tail)]
    : [cut(kept, tail)];
}

const hasComment = (text: string, start: number, end: number): boolean =>
  commentsOf(text).some((c) => c.offset >= start && c.offset < end);

/** Puts a value where another one, or none, is written; in the style of the one that goes. */
export function replaceValue(
  source: YamlSource,
  item: Item,
  value: YamlValue,
  style: BlockStyle & { readonly inFlow: boolean },
): readonly Splice[] | Problem {
  const { text } = source;
  const at = valueStart(item);
  const line = flowText(value, style.inFlow);
  if (item.value === null || isBlank(item.value))
    return [{ start: at, end: at, text: ` ${line}` }];
  const start = firstOffset(item.value);
  const end = contentEnd(text, item.value);
  const lines = isBlock(item.value) ? endOfLines(text, end) : end;
  if (!isAlias(item.value) && hasComment(text, start, lines))
    return { problem: "the value to be changed has comments inside it" };
  if (!isBlock(item.value)) return [{ start, end, text: line }];
  const from = lineStart(text, start);
  const column = columnOf(text, start);
  const body = bodyLines(value, { ...style, indent: " ".repeat(column) });
  if (body.length > 0)
    return [{ start: from, end, text: body.join(source.eol) }];
  return [
    { start: at, end: at, text: ` ${line}` },
    { start: breakBefore(text, from), end, text: "" },
  ];
}

const firstOffset = (node: Node): number =>
  isBlock(node) ? itemStart(node, 0) : (node.range?.[0] ?? 0);

/** Where the value's last line ends, without its line break: a block scalar has that in its range. */
const contentEnd = (text: string, node: Node): number =>
  text.slice(0, nodeEnd(node)).trimEnd().length;
