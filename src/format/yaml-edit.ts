// Edits of a server in a `fenzi.yaml`, as splices of its text: comments, order, quoting and line ends of everything
// else stay as they are. Each edit is read again and must differ in nothing but the edited entry. Pure.
import { isMap, visit } from "yaml";
import {
  apply,
  itemAt,
  locate,
  removePath,
  setPath,
  stepOf,
  type Edit,
  type Edited,
  type Place,
} from "./yaml-path.ts";
import { plainOf, samePlain, toPlain, type Plain } from "./yaml-plain.ts";
import {
  columnOf,
  endOfComments,
  isBlank,
  isFlow,
  isProblem,
  itemStart,
  lineEnd,
  readYaml,
  valueStart,
  type Collection,
  type Problem,
  type YamlSource,
} from "./yaml-source.ts";
import { addItem, insertLines, type Splice } from "./yaml-splice.ts";
import { bodyLines, pairLines, type YamlValue } from "./yaml-write.ts";

export type { Edit, Edited } from "./yaml-path.ts";
export type { YamlValue } from "./yaml-write.ts";

/** The keys of a server, in the order in which they are written. `null` takes a key out. */
export type Entry = Readonly<Record<string, YamlValue | null>>;

const BOM = "\ufeff";

/** Adds the server, or changes the keys that `entry` names in the one that is there; its other keys stay. */
export function setServer(text: string, name: string, entry: Entry): Edited {
  return prove(text, (edit, source) => {
    const place = locate(source, ["mcp", name]);
    if (isProblem(place)) return place;
    const done =
      place !== null && place.index >= 0
        ? changeServer(edit, name, entry)
        : addServer(edit, source, name, entry);
    return { done, expected: withServer(plainOf(source), name, entry) };
  });
}

/** Adds servers that are not there yet; all behind the first with one reading of the text where that can be done. */
export function addServers(
  text: string,
  servers: readonly (readonly [name: string, entry: Entry])[],
): Edited {
  const [first, ...rest] = servers;
  if (first === undefined) return { text, comments: [] };
  const begun = setServer(text, ...first);
  if (isProblem(begun) || rest.length === 0) return begun;
  const together = prove(begun.text, (edit, source) => {
    const splices: Splice[] = [];
    let expected = plainOf(source);
    const place = locate(source, ["mcp"]);
    const mcp = place === null || isProblem(place) ? null : itemAt(place).value;
    if (!isMap(mcp)) return { problem: "`mcp` is not written as a mapping" };
    const collection = mcp as Collection;
    const step = stepOf(source, collection);
    for (const [name, entry] of rest) {
      const item = { key: name, value: withoutNull(entry), levels: 1 };
      for (const each of addItem(source, collection, item, step))
        splices.push(each);
      expected = withServer(expected, name, entry);
    }
    return { done: apply(edit, splices), expected };
  });
  if (!isProblem(together)) return together;
  let now: Edited = begun;
  for (const [name, entry] of rest)
    if (!isProblem(now)) now = setServer(now.text, name, entry);
  return now;
}

/** Takes the server's lines out, with the comments in them. Comments above it stay; `mcp: {}` stays of the last one. */
export function removeServer(text: string, name: string): Edited {
  return prove(text, (edit, source) => {
    const place = locate(source, ["mcp", name]);
    if (isProblem(place)) return place;
    if (place === null || place.index === -1)
      return { problem: `it has no server \`${name}\`` };
    const done = removePath(edit, ["mcp", name]);
    return { done, expected: withServer(plainOf(source), name, null) };
  });
}

type Run = (
  edit: Edit,
  source: YamlSource,
) => { readonly done: Edited; readonly expected: Plain } | Problem;

/** Runs an edit on the text without its byte order mark, and proves that nothing else has changed. */
function prove(text: string, run: Run): Edited {
  const mark = text.startsWith(BOM) ? BOM : "";
  const source = readYaml(text.slice(mark.length));
  if (isProblem(source)) return source;
  const result = run({ text: source.text, comments: [] }, source);
  if (isProblem(result)) return result;
  const { done, expected } = result;
  if (isProblem(done)) return done;
  const after = readYaml(done.text);
  if (isProblem(after) || !samePlain(plainOf(after), expected))
    return { problem: reasonFor(source) };
  return { ...done, text: mark + done.text };
}

function reasonFor(source: YamlSource): string {
  let aliases = 0;
  visit(source.document, { Alias: () => void aliases++ });
  return aliases > 0
    ? "an alias (`*NAME`) ties the entry to another part of the file"
    : "the layout around the entry is unusual, so something else would change";
}

/** What the file must say afterwards. */
function withServer(before: Plain, name: string, entry: Entry | null): Plain {
  const root = new Map(asMap(before));
  if (root.size === 0) root.set("version", 1);
  const mcp = new Map(asMap(root.get("mcp")));
  root.set("mcp", mcp);
  const server = new Map(asMap(mcp.get(name)));
  for (const [key, value] of Object.entries(entry ?? {}))
    if (value === null) server.delete(key);
    else server.set(key, toPlain(value));
  if (entry === null) mcp.delete(name);
  else mcp.set(name, server);
  return root;
}

const asMap = (value: Plain): ReadonlyMap<unknown, unknown> =>
  value instanceof Map ? value : new Map();

function changeServer(edit: Edit, name: string, entry: Entry): Edited {
  let now: Edited = edit;
  for (const [key, value] of Object.entries(entry)) {
    if (isProblem(now)) return now;
    const path = ["mcp", name, key];
    if (value !== null) now = setPath(now, path, value);
    else if (has(now.text, path)) now = removePath(now, path);
  }
  return now;
}

function has(text: string, path: readonly string[]): boolean {
  const source = readYaml(text);
  if (isProblem(source)) return false;
  const place = locate(source, path);
  return place !== null && !isProblem(place) && place.index >= 0;
}

const withoutNull = (entry: Entry): Readonly<Record<string, YamlValue>> =>
  Object.fromEntries(
    Object.entries(entry).flatMap(([k, v]) => (v === null ? [] : [[k, v]])),
  );

function addServer(
  edit: Edit,
  source: YamlSource,
  name: string,
  entry: Entry,
): Edited {
  const server = withoutNull(entry);
  const { document, text } = source;
  if (isBlank(document.contents)) {
    const file = { version: 1, mcp: { [name]: server } };
    const lines = bodyLines(file, { indent: "", step: "  " }, 2);
    const end = /^\.\.\.(?=\s|$)/m.exec(text)?.index ?? text.length;
    return apply(edit, [insertLines(source, end, lines)]);
  }
  const place = locate(source, ["mcp"]);
  if (place === null || isProblem(place))
    return place ?? { problem: "it is empty" };
  const step = stepOf(source, place.collection);
  if (place.index === -1) {
    const mcp = { key: "mcp", value: { [name]: server }, levels: 2 };
    if (place.collection.items.length > 0)
      return apply(edit, addItem(source, place.collection, mcp, step));
    const versioned = setPath(edit, ["version"], 1);
    return isProblem(versioned)
      ? versioned
      : setPath(versioned, ["mcp"], mcp.value);
  }
  const opened = openMapping(source, place, name, server, step);
  if (opened !== null) return apply(edit, opened);
  const mcp = itemAt(place).value;
  if (!isMap(mcp)) return { problem: "`mcp` is not written as a mapping" };
  const collection = mcp as Collection;
  const item = { key: name, value: server, levels: 1 };
  return apply(
    edit,
    addItem(source, collection, item, stepOf(source, collection)),
  );
}

/** Turns an `mcp:` without a value, or `mcp: {}` on one line, into block style. Null where it is neither. */
function openMapping(
  source: YamlSource,
  place: Place,
  name: string,
  server: Readonly<Record<string, YamlValue>>,
  step: string,
): readonly Splice[] | null {
  const { text } = source;
  const owner = itemAt(place);
  if (place.inFlow) return null;
  const start = valueStart(owner);
  let end = start;
  if (!isBlank(owner.value)) {
    if (!isFlow(owner.value)) return null;
    end = owner.value.range?.[1] ?? start;
    if (!/^[ \t]*\{[ \t]*\}$/.test(text.slice(start, end))) return null;
  }
  const column = columnOf(text, itemStart(place.collection, place.index));
  const indent = " ".repeat(column) + step;
  const lines = pairLines(name, server, { indent, step }, 1);
  const at = endOfComments(text, lineEnd(text, end), column + 1);
  return [{ start, end, text: "" }, insertLines(source, at, lines)];
}
