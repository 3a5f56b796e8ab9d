// The law on one screen: how an inner layer may change each key of a server. A new key does not compile without a line.
import { LIMITS, parseQuantity, type LimitName } from "../match/quantity.ts";
import type { Limit, Origin, ServerLimits } from "../model/model.ts";
import type { ServerEntry } from "../../schemas/fenzi.ts";
import type { LayerEntry } from "./layer.ts";

/** identity: equal after canonical form, or left out. narrows: the strictest of all layers holds. */
type Rule = "identity" | "narrows";

export const RULES = {
  url: "identity",
  command: "identity",
  cwd: "identity",
  env: "identity",
  headers: "identity",
  token: "identity",
  isolation: "identity",
  allowSystemSocket: "identity",
  enabled: "narrows",
  tools: "narrows",
  limits: "narrows",
  paths: "narrows",
  hosts: "narrows",
} as const satisfies { readonly [K in keyof Required<ServerEntry>]: Rule };

/** The keys that only the defining layer decides. */
export const IDENTITY = (Object.keys(RULES) as (keyof typeof RULES)[]).filter(
  (key) => RULES[key] === "identity",
);

/** `false` of any layer wins; the outermost that says so is named. */
function enabled(layers: readonly LayerEntry[]): {
  value: boolean;
  origin: Origin;
} {
  const off = layers.find((l) => l.entry.enabled === false);
  if (off !== undefined)
    return { value: false, origin: off.at("key", "enabled") };
  const first = layers[0];
  if (first === undefined) throw new TypeError("a server without layers");
  return { value: true, origin: first.origin };
}

/** The smallest of what stands in the files. What holds without a line counts as a line of the first layer. */
function limit(layers: readonly LayerEntry[], name: LimitName): Limit {
  let found: Limit = { value: LIMITS[name].fallback, origin: "default" };
  for (const [i, layer] of layers.entries()) {
    const value = writtenLimit(layer, name);
    if (value === null || (i > 0 && value >= found.value)) continue;
    found = { value, origin: layer.at("value", "limits", name) };
  }
  return found;
}

const limits = (layers: readonly LayerEntry[]): ServerLimits => ({
  call: limit(layers, "call"),
  request: limit(layers, "request"),
  response: limit(layers, "response"),
});

/** What a layer writes, in milliseconds or bytes; null for nothing. */
export function writtenLimit(
  layer: LayerEntry,
  name: LimitName,
): number | null {
  const text = layer.entry.limits?.[name];
  if (text === undefined) return null;
  const value = parseQuantity(text, LIMITS[name].kind);
  if (value === null)
    throw new TypeError("a limit that validation refused came to the merge");
  return value;
}

/** Values that fold into one; tool rules do not: they are kept per layer, and `decide` takes the strictest answer. */
export const NARROW = { enabled, limits };
