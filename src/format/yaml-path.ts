// One key of a YAML text, by its path: set to a value or taken out, changing as little as there is to change. Pure.
import { isMap, isScalar, isSeq, type YAMLMap } from "yaml";
import { plainOf, samePlain, toPlain, type Plain } from "./yaml-plain.ts";
import {
  columnOf,
  commentsOf,
  isBlank,
  isBlock,
  isFlow,
  isProblem,
  itemStart,
  readYaml,
  type Collection,
  type Item,
  type Problem,
  type YamlSource,
} from "./yaml-source.ts";
import {
  addItem,
  applySplices,
  removeItem,
  replaceValue,
  type NewItem,
  type Splice,
} from "./yaml-splice.ts";
import type { YamlValue } from "./yaml-write.ts";

/** A text after an edit, and the comments that stood inside what was taken out. */
export interface Edit {
  readonly text: string;
  readonly comments: readonly string[];
}
export type Edited = Edit | Problem;

export interface Place {
  /** The pair whose value the collection is; null for the root. */
  readonly owner: Item | null;
  readonly collection: YAMLMap<Item["key"], Item["value"]>;
  /** Where the last key of the path stands in it, or -1. */
  readonly index: number;
  readonly inFlow: boolean;
}

/** Walks to the mapping that holds the last key of the path. Null when a key before the last is absent or blank. */
export function locate(
  source: YamlSource,
  path: readonly string[],
): Place | Problem | null {
  let place: Place | null = null;
  let owner: Item | null = null;
  let node: unknown = source.document.contents;
  let inFlow = false;
  for (const [depth, key] of path.entries()) {
    if (depth > 0 && owner === null) return null;
    if (isBlank(node)) return null;
    if (!isMap(node))
      return { problem: `${describe(owner)} is not written as a mapping` };
    const collection = node as Place["collection"];
    const index = collection.items.findIndex(
      (item) => isScalar(item.key) && item.key.value === key,
    );
    inFlow ||= isFlow(collection);
    place = { owner, collection, index, inFlow };
    owner = collection.items[index] ?? null;
    node = owner?.value;
  }
  return place;
}

export const itemAt = (place: Place): Item =>
  place.collection.items[place.index] as Item;

const describe = (owner: Item | null): string =>
  owner !== null && isScalar(owner.key) ? `\`${owner.key.value}\`` : "it";

/** Makes the splices, and holds them to it that every comment outside of them stays. */
export function apply(
  edit: Edit,
  splices: readonly Splice[] | Problem,
): Edited {
  if (isProblem(splices)) return splices;
  const text = applySplices(edit.text, splices);
  const inside = (offset: number) =>
    splices.some((s) => offset >= s.start && offset < s.end);
  const before = commentsOf(edit.text);
  const stay = before.filter((c) => !inside(c.offset)).map((c) => c.text);
  const found = commentsOf(text).map((c) => c.text);
  if (stay.join("\n") !== found.join("\n"))
    return { problem: "a comment would be lost" };
  const gone = before.filter((c) => inside(c.offset)).map((c) => c.text);
  return { text, comments: [...edit.comments, ...gone] };
}

/** The blanks by which `collection` indents what stands below its items; those of the file when it has no such item. */
export function stepOf(source: YamlSource, collection: Collection): string {
  const root = source.document.contents;
  return (
    stepBelow(source.text, collection) ??
    (isBlock(root) ? stepBelow(source.text, root) : null) ??
    "  "
  );
}

function stepBelow(text: string, collection: Collection): string | null {
  for (const item of collection.items) {
    const value = "value" in item ? item.value : null;
    if (!isBlock(value) || !isMap(value) || value.items.length === 0) continue;
    const width =
      columnOf(text, itemStart(value, 0)) -
      columnOf(text, itemStart(collection, 0));
    return " ".repeat(width);
  }
  return null;
}

/** Sets a key of a mapping that is there. Mappings and lists are changed item by item, so that comments in them stay. */
export function setPath(
  edit: Edit,
  path: readonly string[],
  value: YamlValue,
): Edited {
  const source = readYaml(edit.text);
  if (isProblem(source)) return source;
  const place = locate(source, path);
  if (place === null)
    return { problem: `\`${path.slice(0, -1).join(".")}\` has no value` };
  if (isProblem(place)) return place;
  const step = stepOf(source, place.collection);
  if (place.index === -1) {
    const item: NewItem = { key: path.at(-1) ?? "", value };
    return apply(edit, addItem(source, place.collection, item, step));
  }
  const item = itemAt(place);
  const old = item.value;
  if (samePlain(plainOf(source, old), toPlain(value))) return edit;
  if (isMap(old) && isRecord(value)) return setKeys(edit, path, old, value);
  if (isSeq(old) && Array.isArray(value)) {
    const keep = keptItems(plainOf(source, old), value);
    if (keep !== null) return setItems(edit, path, keep, value);
  }
  const style = { indent: "", step, inFlow: place.inFlow };
  return apply(edit, replaceValue(source, item, value, style));
}

function setKeys(
  edit: Edit,
  path: readonly string[],
  old: YAMLMap,
  value: Readonly<Record<string, YamlValue>>,
): Edited {
  let now: Edited = edit;
  for (const item of old.items) {
    const key = isScalar(item.key) ? String(item.key.value) : "";
    if (Object.hasOwn(value, key) || isProblem(now)) continue;
    now = removePath(now, [...path, key]);
  }
  for (const [key, inner] of Object.entries(value)) {
    if (isProblem(now)) return now;
    now = setPath(now, [...path, key], inner);
  }
  return now;
}

const isRecord = (
  value: YamlValue,
): value is Readonly<Record<string, YamlValue>> =>
  typeof value === "object" && !Array.isArray(value);

/** Which items stay, when the new list is the old one with some taken out and some put behind it; null otherwise. */
function keptItems(
  old: Plain,
  value: readonly YamlValue[],
): readonly boolean[] | null {
  if (!Array.isArray(old)) return null;
  const wanted = value.map(toPlain);
  const keep = old.map((o) => wanted.some((w) => samePlain(o, w)));
  const kept = old.filter((_, i) => keep[i]);
  const begins = kept.every((item, i) => samePlain(item, wanted[i]));
  return kept.length > 0 && begins ? keep : null;
}

function setItems(
  edit: Edit,
  path: readonly string[],
  keep: readonly boolean[],
  value: readonly YamlValue[],
): Edited {
  let now: Edited = edit;
  for (let i = keep.length - 1; i >= 0; i--)
    if (keep[i] !== true && !isProblem(now)) now = editList(now, path, i);
  for (const item of value.slice(keep.filter(Boolean).length))
    if (!isProblem(now)) now = editList(now, path, { key: null, value: item });
  return now;
}

/** Takes the item with that index out of a list, or adds one behind its last. */
function editList(
  edit: Edit,
  path: readonly string[],
  change: number | NewItem,
): Edited {
  const source = readYaml(edit.text);
  if (isProblem(source)) return source;
  const place = locate(source, path);
  if (place === null || isProblem(place)) return place ?? NOTHING;
  const owner = itemAt(place);
  if (!isSeq(owner.value)) return NOTHING;
  const list = owner.value as Collection;
  const splices =
    typeof change === "number"
      ? removeItem(source, owner, list, change)
      : addItem(source, list, change, "");
  return apply(edit, splices);
}

const NOTHING: Problem = { problem: "a value is not where it was" };

/** Takes a key with its value out of a mapping that is not the root. */
export function removePath(edit: Edit, path: readonly string[]): Edited {
  const source = readYaml(edit.text);
  if (isProblem(source)) return source;
  const place = locate(source, path);
  if (place === null || isProblem(place)) return place ?? NOTHING;
  if (place.owner === null || place.index === -1) return NOTHING;
  const { owner, collection, index } = place;
  return apply(edit, removeItem(source, owner, collection, index));
}
