// The one place that turns a path into a span. Nothing else in the program makes positions.
import { isMap, isScalar, isSeq, type Node } from "yaml";
import type { Span } from "../diagnostics/diagnostic.ts";
import type { Locate } from "./source-file.ts";

/** Finds places in a parsed document; a path that ends in nothing gives its nearest parent. */
export function locator(
  root: Node | null,
  span: (range: readonly number[] | null | undefined) => Span,
): Locate {
  return (path, what) => {
    let node: Node | null = root;
    let key: Node | null = null;
    for (const step of path) {
      const next = child(node, step);
      if (next === null) break;
      [key, node] = [next.key, next.value];
    }
    return span((what === "key" ? (key ?? node) : (node ?? key))?.range);
  };
}

function child(
  node: Node | null,
  step: string | number,
): { key: Node | null; value: Node | null } | null {
  if (isMap(node)) {
    for (const pair of node.items) {
      const key = pair.key as Node;
      if (isScalar(key) && key.value === step)
        return { key, value: pair.value as Node | null };
    }
  } else if (isSeq(node) && typeof step === "number") {
    const value = node.items[step] as Node | undefined;
    if (value !== undefined) return { key: null, value };
  }
  return null;
}
