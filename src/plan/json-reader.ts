// Looking into a JSON file whose objects and lists may be long: each is gone through once.
import type { Node } from "jsonc-parser";
import type { OwnedMember } from "../emit/emitter.ts";
import { items, members, nodeAt, plain } from "../source/json-text.ts";
import type { Path } from "./json-members.ts";

export interface Reader {
  readonly member: (path: Path) => Node | null;
  readonly hasItem: (path: Path, item: string) => boolean;
  /** Whether the member is there with this value. */
  readonly says: (member: OwnedMember) => boolean;
}

export function readerOf(root: Node | null): Reader {
  const inside = new Map<string, ReadonlyMap<string, Node>>();
  const lists = new Map<string, ReadonlySet<unknown>>();
  const member = (path: Path): Node | null => {
    if (path.length === 0) return root;
    const above = path.slice(0, -1);
    const key = keyOf(above);
    const known =
      inside.get(key) ??
      new Map(members(nodeAt(root, above)).map((m) => [m.key, m.value]));
    inside.set(key, known);
    return known.get(path.at(-1) ?? "") ?? null;
  };
  return {
    member,
    hasItem(path, item) {
      const key = keyOf(path);
      const known =
        lists.get(key) ??
        new Set(items(member(path)).map((node) => node.value as unknown));
      lists.set(key, known);
      return known.has(item);
    },
    says({ at, value }) {
      const node = member(at);
      return node !== null && same(plain(node), value);
    },
  };
}

export const keyOf = (path: Path): string => JSON.stringify(path);
export const samePath = (a: Path, b: Path): boolean => keyOf(a) === keyOf(b);

/** The same JSON, whatever the order of keys. */
export const same = (a: unknown, b: unknown): boolean =>
  canonical(a) === canonical(b);

export const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(
          Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)),
        )
      : inner,
  );
