// A JSON file that is also the user's: our members and items are brought up to date, or taken out. What somebody else wrote
// is never changed; where it is in the way that is a conflict.
import type { Node } from "jsonc-parser";
import { report } from "../diagnostics/catalog.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { SharedJson } from "../emit/emitter.ts";
import { isGuardEntry } from "../match/guard-entry.ts";
import type { Applied } from "../model/applied.ts";
import type { JsonValue } from "../model/model.ts";
import {
  members,
  nodeAt,
  plain,
  readJson,
  type JsonText,
} from "../source/json-text.ts";
import {
  insertMembers,
  removeMembers,
  type Blocked,
  type Path,
} from "./json-members.ts";
import {
  canonical,
  keyOf,
  readerOf,
  same,
  samePath,
  type Reader,
} from "./json-reader.ts";
import {
  BOM,
  hashOf,
  TAKEN_HELP,
  textBefore,
  type OwnedEdit,
} from "./owned-text.ts";
import { printTree, wantTree } from "./owned-view.ts";

interface JsonInput {
  /** As it is shown. */
  readonly path: string;
  /** Null: there is no file. */
  readonly text: string | null;
  readonly wanted: SharedJson;
  /** What is known to be ours, newest first. */
  readonly records: readonly Applied[];
}

type Owned = Pick<Applied, "members" | "items" | "made">;

export function editJson(input: JsonInput): OwnedEdit {
  const { path, text, wanted, records } = input;
  const read = readJson(path, text ?? "", "agent/not-parsed");
  if (read.value === null) return stopped(text, read.diagnostics);
  const json = read.value;
  const known = text === null ? null : textBefore(text, records);
  const reader = readerOf(json.root);
  const ours = text === null ? NONE : ownedIn(json, reader, wanted, records);
  const want = wantedMembers(wanted, json.root, ours);
  const conflicts = edited(json, reader, wanted, records, want);
  if (conflicts.length > 0) return stopped(text, conflicts);
  if (text !== null && isUpToDate(json.root, reader, want, wanted, ours)) {
    const view = viewOf(reader, ours, want);
    return {
      text,
      record: known?.record ?? records[0] ?? null,
      view: { before: view.after, after: view.after },
      diagnostics: [],
    };
  }
  const base = known === null ? strip(text, json.root, ours, records) : known;
  const bare = (base.text ?? "").replace(BOM, "");
  const bom = base.text?.startsWith(BOM) === true ? BOM : "";
  const again = readJson(path, bare, "agent/not-parsed").value;
  const there = again?.root ?? null;
  const bareReader = readerOf(there);
  const missing = {
    members: want.members.filter((m) => bareReader.member(m.at) === null),
    items: want.items.filter((i) => !bareReader.hasItem(i.at, i.item)),
  };
  const unsafe = () =>
    stopped(text, [
      report("write/cannot-edit", {
        file: path,
        reason: "something else in it would change",
      }),
    ]);
  if (again === null) return unsafe();
  const inTheWay = want.members.filter(
    (m) => bareReader.member(m.at) !== null && !bareReader.says(m),
  );
  if (inTheWay.length > 0)
    return stopped(
      text,
      inTheWay.map((m) => conflict(json, m.at, IN_THE_WAY)),
    );
  if (missing.members.length === 0 && missing.items.length === 0)
    return {
      text: base.text,
      record: null,
      view: viewOf(reader, ours, want),
      diagnostics: [],
    };
  const inserted = insertMembers(bare, there, wantTree(missing));
  if (inserted.blocked.length > 0)
    return stopped(
      text,
      inserted.blocked.map((b) => conflict(json, b.path, wordsFor(b))),
    );
  const after = bom + inserted.text;
  const check = readJson(path, after, "agent/not-parsed").value?.root ?? null;
  if (!isWhole(check, there, missing)) return unsafe();
  return {
    text: after,
    record: {
      before: base.text === null ? null : hashOf(base.text),
      after: hashOf(after),
      pieces: inserted.pieces,
      ...missing,
      made: inserted.made,
      folder: null,
    },
    view: viewOf(reader, ours, want),
    diagnostics: [],
  };
}

const stopped = (
  text: string | null,
  diagnostics: readonly Diagnostic[],
): OwnedEdit => ({
  text,
  record: null,
  view: { before: "", after: "" },
  diagnostics,
});

const NONE: Owned = { members: [], items: [], made: [] };
const IN_THE_WAY = "is here already and is not of fenzi";
const CHANGED = "was written by fenzi and has been changed since";

const TWICE = "stands here twice";
const OTHER_KIND = "is of another kind than what holds such entries";
const HELP: Readonly<Record<string, string>> = {
  [IN_THE_WAY]: TAKEN_HELP,
  [CHANGED]: "take it out, or put back what fenzi wrote, and apply again",
  [TWICE]: "take one out, and apply again",
  [OTHER_KIND]:
    'write it as an object or list with entries, such as `{ "*": "allow" }`, and apply again',
};

const wordsFor = ({ why }: Blocked): string =>
  why === "twice" ? TWICE : why === "there" ? IN_THE_WAY : OTHER_KIND;

function conflict(json: JsonText, path: Path, why: string): Diagnostic {
  let at = json.root;
  for (let length = path.length; length > 0; length--) {
    const found = members(nodeAt(json.root, path.slice(0, length - 1))).find(
      (m) => m.key === path[length - 1],
    );
    if (found === undefined) continue;
    at = found.keyNode;
    break;
  }
  return report(
    "apply/conflict",
    { key: path.join("."), why },
    {
      at: at === null ? null : json.span(at),
      help: HELP[why] ?? null,
    },
  );
}

/** What is ours in the file: what was noted and is as it was written, and what can only be ours. */
function ownedIn(
  json: JsonText,
  reader: Reader,
  wanted: SharedJson,
  records: readonly Applied[],
): Owned {
  const { root } = json;
  const noted = records.flatMap((r) => r.members);
  const recognised =
    wanted.servers === null
      ? []
      : members(nodeAt(root, wanted.servers))
          .filter(({ key, value }) => isGuardEntry(plain(value), key, true))
          .map(({ key, value }) => ({
            at: [...(wanted.servers ?? []), key],
            value: plain(value) as JsonValue,
          }));
  // What was noted and changed is no longer ours, however it looks.
  const paths = new Set(noted.map((m) => keyOf(m.at)));
  const found = [
    ...noted.filter(reader.says),
    ...recognised.filter((m) => !paths.has(keyOf(m.at))),
  ];
  return {
    members: [...new Map(found.map((m) => [keyOf(m.at), m])).values()],
    items: records
      .flatMap((r) => r.items)
      .filter((i) => reader.hasItem(i.at, i.item)),
    made: records.flatMap((r) => r.made),
  };
}

/** What is to be there. A new file begins with more; what it began with stays while the rest does. */
function wantedMembers(
  wanted: SharedJson,
  root: Node | null,
  ours: Owned,
): Pick<Owned, "members" | "items"> {
  const something = wanted.members.length > 0 || wanted.items.length > 0;
  const fresh = wanted.fresh.filter(
    (f) =>
      something &&
      (root === null || ours.members.some((m) => samePath(m.at, f.at))),
  );
  return { members: [...fresh, ...wanted.members], items: wanted.items };
}

function isUpToDate(
  root: Node | null,
  reader: Reader,
  want: Pick<Owned, "members" | "items">,
  { ordered }: SharedJson,
  ours: Owned,
): boolean {
  const inOrder = (path: Path) => {
    const mine = want.members
      .filter((m) => samePath(m.at.slice(0, -1), path))
      .map((m) => m.at.at(-1));
    const names = new Set(mine);
    const there = members(nodeAt(root, path)).map((m) => m.key);
    return same(
      there.filter((key) => names.has(key)),
      mine,
    );
  };
  const keys = memberKeys(want.members);
  const texts = new Set(want.items.map(itemKey));
  return (
    want.members.every(reader.says) &&
    want.items.every((i) => reader.hasItem(i.at, i.item)) &&
    ours.members.every((m) => keys.has(keyOf(m.at))) &&
    ours.items.every((i) => texts.has(itemKey(i))) &&
    ordered.every(inOrder)
  );
}

/** Members of ours that somebody changed: where they are to be changed or taken out, that is not ours to do. */
function edited(
  json: JsonText,
  reader: Reader,
  wanted: SharedJson,
  records: readonly Applied[],
  want: Pick<Owned, "members">,
): readonly Diagnostic[] {
  const noted = records.flatMap((r) => r.members);
  const known = new Set(
    [...noted, ...want.members].map((m) => canonical([m.at, m.value])),
  );
  const kept = memberKeys(want.members);
  const seen = new Set<string>();
  return noted.flatMap(({ at }) => {
    const node = reader.member(at);
    if (node === null || seen.has(keyOf(at))) return [];
    seen.add(keyOf(at));
    const value = plain(node);
    const isServer =
      wanted.servers !== null && samePath(at.slice(0, -1), wanted.servers);
    // Somebody made another server of it, which is none of ours any more.
    const isGone =
      isServer &&
      !kept.has(keyOf(at)) &&
      !isGuardEntry(value, at.at(-1) ?? "", false);
    return known.has(canonical([at, value])) || isGone
      ? []
      : [conflict(json, at, CHANGED)];
  });
}

/** The text without ours, where somebody else has written into it as well. */
function strip(
  text: string | null,
  root: Node | null,
  ours: Owned,
  records: readonly Applied[],
): { readonly text: string | null } {
  if (text === null || root === null) return { text };
  const bom = text.startsWith(BOM) ? BOM : "";
  const rest = removeMembers(
    text.slice(bom.length),
    root,
    [...ours.members.map((m) => ({ at: m.at, item: null })), ...ours.items],
    ours.made,
  );
  const isOurFile = records.some((r) => r.before === null);
  return {
    text: isOurFile && /^\s*\{\s*\}\s*$/.test(rest) ? null : bom + rest,
  };
}

/** The new text says what the old one said, and ours. */
function isWhole(
  after: Node | null,
  before: Node | null,
  added: Pick<Owned, "members" | "items">,
): boolean {
  if (after === null) return false;
  const reader = readerOf(after);
  return (
    added.members.every(reader.says) &&
    added.items.every((i) => reader.hasItem(i.at, i.item)) &&
    (before === null || contains(plain(after), plain(before)))
  );
}

/** Every member of `less` is in `more`, and lists begin with what they began with. */
function contains(more: unknown, less: unknown): boolean {
  if (Array.isArray(less))
    return Array.isArray(more) && less.every((item, i) => same(item, more[i]));
  if (typeof less !== "object" || less === null) return same(more, less);
  return (
    typeof more === "object" &&
    more !== null &&
    Object.entries(less).every(([key, value]) =>
      contains((more as Record<string, unknown>)[key], value),
    )
  );
}

/** Both sides inside the objects and lists that the file has anyway. */
function viewOf(
  reader: Reader,
  ours: Pick<Owned, "members" | "items">,
  want: Pick<Owned, "members" | "items">,
): OwnedEdit["view"] {
  const isThere = ({ at }: { readonly at: Path }) => reader.member(at) !== null;
  const above = ({ at }: { readonly at: Path }) => ({
    at: at.slice(0, -1),
    kind: "members" as const,
  });
  const frame = [
    ...[...want.members, ...ours.members].map(above),
    ...[...want.items, ...ours.items].map(({ at }) => ({
      at,
      kind: "items" as const,
    })),
  ].filter(isThere);
  return {
    before:
      reader.member([]) === null
        ? ""
        : printTree(wantTree(ours, unique(frame))),
    after: printTree(wantTree(want, unique(frame))),
  };
}

const unique = <T extends { readonly at: Path }>(frame: readonly T[]) => [
  ...new Map(frame.map((f) => [keyOf(f.at), f])).values(),
];

const itemKey = ({ at, item }: Owned["items"][number]): string =>
  JSON.stringify([at, item]);
const memberKeys = (list: Owned["members"]): ReadonlySet<string> =>
  new Set(list.map((m) => keyOf(m.at)));
