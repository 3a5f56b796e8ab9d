// Members put into a JSON text and taken out of it, by splicing: comments, order, indentation and line ends of everything
// else stay. Putting in only ever inserts, so that it can be undone exactly.
import type { Node } from "jsonc-parser";
import { printJson } from "../format/json.ts";
import type { JsonValue } from "../model/model.ts";
import { items, members, nodeAt, type Member } from "../source/json-text.ts";

export type Path = readonly string[];

/** A text that was put in. `at` counts in the text as it became, in UTF-16 units. */
export interface Piece {
  readonly at: number;
  readonly text: string;
}

/** What is to be there: a value, members of an object, or strings of a list. */
export type Want =
  | { readonly kind: "value"; readonly value: JsonValue }
  | { readonly kind: "members"; readonly members: Map<string, Want> }
  | { readonly kind: "items"; readonly items: readonly string[] };

/** Something is in the way. */
export interface Blocked {
  readonly path: Path;
  readonly node: Node;
  readonly why: "there" | "other-type" | "twice";
}

interface Inserted {
  readonly text: string;
  readonly pieces: readonly Piece[];
  /** Objects and lists that were not there before. */
  readonly made: readonly Path[];
  readonly blocked: readonly Blocked[];
}

interface Insertion {
  readonly offset: number;
  readonly text: string;
}

interface Style {
  readonly eol: string;
  /** One step of indentation. */
  readonly unit: string;
}

/** Puts `wants` into the object `root` of a text; into a text without one (null), behind what it has. */
export function insertMembers(
  text: string,
  root: Node | null,
  wants: Map<string, Want>,
): Inserted {
  const style = styleOf(text, root);
  const insertions: Insertion[] = [];
  const made: Path[] = [];
  const blocked: Blocked[] = [];
  if (root === null) {
    const value = valueOf({ kind: "members", members: wants });
    noteMade({ kind: "members", members: wants }, [], made);
    const before = text === "" || /[\r\n]$/.test(text) ? "" : style.eol;
    insertions.push({
      offset: text.length,
      text: `${before}${printed(value, "", style)}${style.eol}`,
    });
  } else into(root, wants, []);

  function into(node: Node, wanted: Map<string, Want>, path: Path): void {
    const there = new Map<string, Member[]>();
    for (const m of members(node)) {
      const same = there.get(m.key);
      if (same === undefined) there.set(m.key, [m]);
      else same.push(m);
    }
    const fresh: (readonly [string, Want])[] = [];
    for (const [key, want] of wanted) {
      const here = [...path, key];
      const [found, twin] = there.get(key) ?? [];
      if (found === undefined) fresh.push([key, want]);
      else if (twin !== undefined)
        blocked.push({ path: here, node: twin.keyNode, why: "twice" });
      else if (want.kind === "value")
        blocked.push({ path: here, node: found.keyNode, why: "there" });
      else if (
        found.value.type !== (want.kind === "members" ? "object" : "array")
      )
        blocked.push({ path: here, node: found.keyNode, why: "other-type" });
      else if (want.kind === "members") into(found.value, want.members, here);
      else
        append(
          found.value,
          want.items.map((item) => (indent) => printed(item, indent, style)),
        );
    }
    for (const [key, want] of fresh) noteMade(want, [...path, key], made);
    append(
      node,
      fresh.map(
        ([key, want]) =>
          (indent) =>
            `${printJson(key).trimEnd()}: ${printed(valueOf(want), indent, style)}`,
      ),
    );
  }

  function append(
    node: Node,
    entries: readonly ((indent: string) => string)[],
  ): void {
    if (entries.length === 0) return;
    const open = node.offset + 1;
    const close = node.offset + node.length - 1;
    const [first] = node.children ?? [];
    const last = node.children?.at(-1);
    const end = last === undefined ? open : last.offset + last.length;
    const trivia = triviaFrom(text, end, close);
    const own = indentAt(text, node.offset);
    const isOpen =
      first === undefined || /[\r\n]/.test(text.slice(open, first.offset));
    const many = isOpen || trivia.lineComment;
    const indent =
      isOpen && first !== undefined
        ? indentAt(text, first.offset)
        : own + style.unit;
    const trailing = trivia.comma !== null;
    if (last !== undefined && !trailing)
      insertions.push({ offset: end, text: "," });
    const body = entries
      .map((entry) =>
        many
          ? `${style.eol}${indent}${entry(indent)}`
          : ` ${onOneLine(entry(""))}`,
      )
      .join(",");
    const closes =
      first !== undefined || /[\r\n]/.test(text.slice(trivia.end, close));
    insertions.push({
      offset: trivia.end,
      text: `${body}${trailing ? "," : ""}${closes ? "" : `${style.eol}${own}`}`,
    });
  }

  const sorted = insertions
    .map((each, i) => ({ ...each, i }))
    .sort((a, b) => a.offset - b.offset || a.i - b.i);
  const pieces: Piece[] = [];
  const out: string[] = [];
  let from = 0;
  let length = 0;
  for (const { offset, text: added } of sorted) {
    out.push(text.slice(from, offset), added);
    length += offset - from;
    pieces.push({ at: length, text: added });
    length += added.length;
    from = offset;
  }
  return {
    text: out.join("") + text.slice(from),
    pieces,
    made,
    blocked,
  };
}

/** Takes out exactly what was put in; null when the text is another one. */
export function withoutPieces(
  text: string,
  pieces: readonly Piece[],
): string | null {
  const out: string[] = [];
  let from = 0;
  for (const { at, text: added } of pieces) {
    if (at < from || !text.startsWith(added, at)) return null;
    out.push(text.slice(from, at));
    from = at + added.length;
  }
  return out.join("") + text.slice(from);
}

const valueOf = (want: Want): JsonValue =>
  want.kind === "value"
    ? want.value
    : want.kind === "items"
      ? want.items
      : Object.fromEntries(
          [...want.members].map(([key, inner]) => [key, valueOf(inner)]),
        );

function noteMade(want: Want, path: Path, made: Path[]): void {
  if (want.kind === "value") return;
  made.push(path);
  if (want.kind === "members")
    for (const [key, inner] of want.members)
      noteMade(inner, [...path, key], made);
}

function styleOf(text: string, root: Node | null): Style {
  const first = root?.children?.[0];
  const indent = first === undefined ? "" : indentAt(text, first.offset);
  return {
    eol: /\r\n|\n|\r/.exec(text)?.[0] ?? "\n",
    unit: indent === "" ? "  " : indent,
  };
}

/** The blanks at the beginning of the line. */
const indentAt = (text: string, offset: number): string => {
  const start =
    Math.max(
      text.lastIndexOf("\n", offset - 1),
      text.lastIndexOf("\r", offset - 1),
    ) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? "";
};

const printed = (value: JsonValue, indent: string, style: Style): string =>
  printJson(value)
    .trimEnd()
    .split("\n")
    .map((line, i) =>
      i === 0
        ? line
        : indent +
          line.replace(/^(?: {2})+/, (blanks) =>
            style.unit.repeat(blanks.length / 2),
          ),
    )
    .join(style.eol);

const onOneLine = (text: string): string =>
  text
    .split(/\r\n|\n|\r/)
    .map((line) => line.trim())
    .join(" ");

interface Trivia {
  /** Behind the last comment, or the comma, or where it began. */
  readonly end: number;
  /** Where a comma stands. */
  readonly comma: number | null;
  readonly lineComment: boolean;
}

/** Blanks, comments and at most one comma. */
function triviaFrom(text: string, start: number, stop: number): Trivia {
  let end = start;
  let comma: number | null = null;
  let lineComment = false;
  for (let i = start; i < stop;) {
    if (text.startsWith("//", i)) {
      const rest = /[^\r\n]*/y;
      rest.lastIndex = i;
      i += rest.exec(text)?.[0].length ?? 0;
      lineComment = true;
      end = i;
    } else if (text.startsWith("/*", i)) {
      i = text.indexOf("*/", i + 2) + 2;
      end = i;
    } else if (text[i] === "," && comma === null) {
      comma = i++;
      end = i;
    } else if (/\s/.test(text[i] ?? "")) i++;
    else break;
  }
  return { end, comma, lineComment };
}

/** What is to go: a member, or an item of the list at `at`. */
interface Gone {
  readonly at: Path;
  readonly item: string | null;
}

/** Takes members and items out, and those of `made` that are empty without them. What is not there is no matter. */
export function removeMembers(
  text: string,
  root: Node,
  gone: readonly Gone[],
  made: readonly Path[],
): string {
  const doomed = new Set<Node>();
  const parents = new Map<string, Gone[]>();
  for (const each of gone) {
    const key = JSON.stringify(
      each.item === null ? each.at.slice(0, -1) : each.at,
    );
    parents.set(key, parents.get(key) ?? []);
    parents.get(key)?.push(each);
  }
  for (const [key, inside] of parents) {
    const parent = nodeAt(root, JSON.parse(key) as string[]);
    const names = new Set(inside.map((g) => g.item ?? g.at.at(-1)));
    for (const m of members(parent))
      if (names.has(m.key) && m.keyNode.parent !== undefined)
        doomed.add(m.keyNode.parent);
    // An item that the user has as well is theirs: ours is the last one.
    for (const node of items(parent).toReversed())
      if (names.delete(node.value)) doomed.add(node);
  }
  for (const path of made.toSorted((a, b) => b.length - a.length)) {
    const node = nodeAt(root, path);
    const property = propertyAt(root, path);
    if (node === null || property === null) continue;
    const children = node.children ?? [];
    if (
      children.every((child) => doomed.has(child)) &&
      !hasComments(text, node, children)
    )
      doomed.add(property);
  }
  const cuts: { start: number; end: number }[] = [];
  const visit = (node: Node) => {
    const children = node.children ?? [];
    if (children.some((child) => doomed.has(child)))
      for (const cut of cutsIn(text, node, doomed)) cuts.push(cut);
    for (const child of children) if (!doomed.has(child)) visit(child);
  };
  visit(root);
  const out: string[] = [];
  let from = 0;
  for (const { start, end } of cuts.toSorted((a, b) => a.start - b.start)) {
    if (start > from) out.push(text.slice(from, start));
    from = Math.max(from, end);
  }
  return out.join("") + text.slice(from);
}

const propertyAt = (root: Node, path: Path): Node | null =>
  path.length === 0
    ? null
    : (members(nodeAt(root, path.slice(0, -1))).find(
        (m) => m.key === path.at(-1),
      )?.keyNode.parent ?? null);

function hasComments(
  text: string,
  node: Node,
  children: readonly Node[],
): boolean {
  let rest = "";
  let from = node.offset;
  for (const child of children) {
    rest += text.slice(from, child.offset);
    from = child.offset + child.length;
  }
  return (rest + text.slice(from, node.offset + node.length)).includes("/");
}

function cutsIn(
  text: string,
  node: Node,
  doomed: ReadonlySet<Node>,
): readonly { readonly start: number; readonly end: number }[] {
  const children = node.children ?? [];
  const close = node.offset + node.length - 1;
  const commaAfter = (i: number): number | null => {
    const child = children[i];
    if (child === undefined) return null;
    return triviaFrom(
      text,
      child.offset + child.length,
      children[i + 1]?.offset ?? close,
    ).comma;
  };
  const cuts: { start: number; end: number }[] = [];
  const cutComma = (comma: number | null) => {
    if (comma !== null) cuts.push({ start: comma, end: comma + 1 });
  };
  const lastKept = children.findLastIndex((child) => !doomed.has(child));
  for (const [i, child] of children.entries()) {
    if (!doomed.has(child)) continue;
    const end = child.offset + child.length;
    cuts.push({ start: startOfCut(text, child.offset, end), end });
    cutComma(commaAfter(i));
  }
  const last = children.length - 1;
  if (lastKept >= 0 && lastKept < last && commaAfter(last) === null)
    cutComma(commaAfter(lastKept));
  if (lastKept < 0 && !hasComments(text, node, children))
    cuts.push({ start: node.offset + 1, end: close });
  return cuts;
}

/** Behind what stands before a member; but the line break that ends a comment stays when something follows. */
function startOfCut(text: string, start: number, end: number): number {
  const before = text.slice(0, start).trimEnd().length;
  const line = Math.max(
    text.lastIndexOf("\n", before - 1),
    text.lastIndexOf("\r", before - 1),
  );
  const comment = text.slice(line + 1, before).includes("//");
  const alone = /^[ \t]*,?[ \t]*(?:[\r\n]|$)/.test(text.slice(end, end + 1000));
  if (!comment || alone) return before;
  return before + (/^(?:\r\n|\n|\r)/.exec(text.slice(before))?.[0].length ?? 0);
}
