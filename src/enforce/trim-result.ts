// What the first answers of a server are cut down to: only the capability to serve tools is left, since a client would
// use what is announced and be refused at every turn, and versions that can be judged here.
import { rebuildObject } from "./edits.ts";
import type { Exchange } from "./exchange.ts";
import { cacheMembers } from "./filter-tools.ts";
import { memberOf, scanJson, stringOf } from "./json-scan.ts";
import { areInstructionsPinned, hashOf, type PinCheck } from "./pins.ts";
import { LEGACY_VERSIONS, MODERN_VERSIONS } from "./protocol.ts";
import { decodeEscapes, hasHiddenText } from "./tool-definition.ts";

const MAX_INSTRUCTIONS = 64 * 1024;

/**
 * The result of `initialize` or `server/discover` for the client, or null when it is none. `changed`: it had
 * instructions other than the pinned ones, which were taken out; the tools have pins of their own and go on.
 */
export function trimResult(
  exchange: Exchange,
  result: string,
  { pins, sha256 }: PinCheck,
): { readonly result: string; readonly changed: boolean } | null {
  let changed = false;
  const scan = scanJson(result, {
    depth: Infinity,
    members: 1_000,
    keep: 2,
    nodes: 100_000,
  });
  if ("problem" in scan || scan.root.members === null) return null;
  const { root } = scan;
  const capabilities = memberOf(root, "capabilities");
  const tools = memberOf(capabilities, "tools");
  const text = rebuildObject(result, scan.root.members, ({ name, value }) => {
    if (name === "capabilities")
      return tools?.kind === "object"
        ? `{"tools":${result.slice(tools.start, tools.end)}}`
        : "{}";
    if (name === "instructions") {
      const source = result.slice(value.start, value.end);
      if (
        value.kind !== "string" ||
        source.length > MAX_INSTRUCTIONS ||
        hasHiddenText(decodeEscapes(source))
      )
        return false;
      changed =
        pins.length > 0 && !areInstructionsPinned(pins, hashOf(sha256, source));
      return !changed;
    }
    if (name === "supportedVersions") {
      const known = (value.items ?? [])
        .map((item) => stringOf(result, item))
        .filter((version) => version !== null && isKnown(version));
      return JSON.stringify(known);
    }
    return name !== "ttlMs" && name !== "cacheScope";
  });
  const cache =
    exchange.method === "server/discover"
      ? cacheMembers(result, root, exchange)
      : [];
  return {
    changed,
    result:
      cache.length === 0
        ? text
        : `{${[text.slice(1, -1), ...cache].filter((part) => part !== "").join(",")}}`,
  };
}

const isKnown = (version: string): boolean =>
  MODERN_VERSIONS.includes(version) || LEGACY_VERSIONS.includes(version);
