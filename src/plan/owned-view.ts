// Our members and items of a JSON file as a tree: to be put in, and to be shown without anything else of the file.
import { printJson } from "../format/json.ts";
import type { Applied } from "../model/applied.ts";
import type { Path, Want } from "./json-members.ts";

type Owned = Pick<Applied, "members" | "items">;

/** `frame`: objects and lists that are in the tree even when nothing of ours is in them. */
export function wantTree(
  owned: Owned,
  frame: readonly {
    readonly at: Path;
    readonly kind: "members" | "items";
  }[] = [],
): Map<string, Want> {
  const root = new Map<string, Want>();
  const inside = (path: Path): Map<string, Want> => {
    let here = root;
    for (const key of path) {
      const next = here.get(key);
      const made = next?.kind === "members" ? next.members : new Map();
      if (next?.kind !== "members")
        here.set(key, { kind: "members", members: made });
      here = made;
    }
    return here;
  };
  const lists = new Map<string, string[]>();
  const list = (path: Path): string[] => {
    const key = JSON.stringify(path);
    const known = lists.get(key) ?? [];
    if (!lists.has(key)) {
      lists.set(key, known);
      inside(path.slice(0, -1)).set(path.at(-1) ?? "", {
        kind: "items",
        items: known,
      });
    }
    return known;
  };
  for (const { at, kind } of frame)
    if (kind === "members") inside(at);
    else list(at);
  for (const { at, value } of owned.members)
    inside(at.slice(0, -1)).set(at.at(-1) ?? "", { kind: "value", value });
  for (const { at, item } of owned.items) list(at).push(item);
  return root;
}

/** The tree as JSON, every object and list over several lines so that a difference is one of lines. */
export const printTree = (tree: ReadonlyMap<string, Want>): string =>
  `${print({ kind: "members", members: new Map(tree) }, "")}\n`;

function print(want: Want, indent: string): string {
  const inner = `${indent}  `;
  if (want.kind === "value")
    return printJson(want.value).trimEnd().replaceAll("\n", `\n${indent}`);
  const lines =
    want.kind === "items"
      ? want.items.map((item) => printJson(item).trimEnd())
      : [...want.members].map(
          ([key, value]) =>
            `${printJson(key).trimEnd()}: ${print(value, inner)}`,
        );
  const [open, close] = want.kind === "items" ? "[]" : "{}";
  return [
    open,
    ...lines.map(
      (line, i) => `${inner}${line}${i + 1 < lines.length ? "," : ""}`,
    ),
    `${indent}${close}`,
  ].join("\n");
}
