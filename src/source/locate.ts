// The one place that turns a path into a span. Nothing else in the program makes positions.
import { isMap, isScalar, isSeq, type Node, type Pair } from "yaml";
import type { Span } from "../diagnostics/diagnostic.ts";
import type { Locate } from "./source-file.ts";

/** Finds places in a parsed document; a path that ends in nothing gives its nearest parent. */
export function locator(
  root: Node | null,
  span: (range: readonly number[] | null | undefined) => Span,
): Locate {
  const indexes = new WeakMap<Node, ReadonlyMap<unknown, Pair>>();
  return (path, what) => {
    let node: Node | null = root;
    let key: Node | null = null;
    for (const step of path) {
      const next = child(node, step, indexes);
      if (next === null) break;
      [key, node] = [next.key, next.value];
    }
    return span((what === "key" ? (key ?? node) : (node ?? key))?.range);
  };
}

/** A large mapping is searched many times: its keys are looked up in an index, made when it is first needed. */
function child(
  node: Node | null,
  step: string | number,
  indexes: WeakMap<Node, ReadonlyMap<unknown, Pair>>,
): { key: Node | null; value: Node | null } | null {
  if (isMap(node)) {
    let index = indexes.get(node);
    if (index === undefined) {
      index = new Map(
        node.items.flatMap((pair) =>
          isScalar(pair.key) ? [[pair.key.value, pair] as const] : [],
        ),
      );
      indexes.set(node, index);
    }
    const pair = index.get(step);
    if (pair !== undefined)
      return { key: pair.key as Node, value: pair.value as Node | null };
  } else if (isSeq(node) && typeof step === "number") {
    const value = node.items[step] as Node | undefined;
    if (value !== undefined) return { key: null, value };
  }
  return null;
}
