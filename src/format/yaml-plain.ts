// What a YAML text says, as plain values to compare: mappings are `Map`s, so that every kind of key is told apart. Pure.
import type { Node } from "yaml";
import type { YamlSource } from "./yaml-source.ts";
import type { YamlValue } from "./yaml-write.ts";

export type Plain = unknown;

/** The value of the whole text, or of one node of it; undefined when its aliases expand too far. */
export function plainOf(source: YamlSource, node?: Node | null): Plain {
  try {
    if (node === undefined) return source.document.toJS({ mapAsMap: true });
    return node?.toJS(source.document, { mapAsMap: true }) ?? null;
  } catch {
    return undefined;
  }
}

export function toPlain(value: YamlValue): Plain {
  if (typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(toPlain);
  return new Map(Object.entries(value).map(([k, v]) => [k, toPlain(v)]));
}

/** Equal but for the order of keys. Deeper than any file of ours, or with a cycle, nothing is equal. */
export function samePlain(a: Plain, b: Plain, depth = 0): boolean {
  if (depth > 100) return false;
  if (a instanceof Map && b instanceof Map)
    return (
      a.size === b.size &&
      [...a].every(([k, v]) => b.has(k) && samePlain(v, b.get(k), depth + 1))
    );
  if (Array.isArray(a) && Array.isArray(b))
    return (
      a.length === b.length &&
      a.every((item, i) => samePlain(item, b[i], depth + 1))
    );
  return Object.is(a, b);
}
