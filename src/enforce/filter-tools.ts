// A server's tool list as the client may see it: the same `decide` as for calls, cursors kept. The result is built anew
// from the members that a list has, so that no second list travels beside it.
import { decide, type Call, type PinFinding } from "../policy/decide.ts";
import type { Exchange } from "./exchange.ts";
import { memberOf, scanJson, stringOf, type JsonNode } from "./json-scan.ts";
import type { KnownTool } from "./known-tools.ts";
import { findPin, hashOf, NO_HASH } from "./pins.ts";
import { shown } from "./refuse.ts";
import type { Road } from "./road.ts";
import {
  definitionProblem,
  MAX_HEIGHT,
  knownTool,
  shownDefinition,
} from "./tool-definition.ts";

type Filtered =
  | {
      readonly result: string;
      /** Definitions that were withheld although their names may be allowed, in words. */
      readonly withheld: string | null;
    }
  | { readonly broken: string };

/** A list that is shown to one client must not be kept for others, nor outlive a change of the rules by long. */
const MAX_TTL_MS = 300_000;
const CACHE_KEYS = ["ttlMs", "cacheScope"];

/** `result` is JSON source of the result object. */
export function filterTools(
  road: Road,
  exchange: Exchange,
  result: string,
): Filtered {
  const scan = scanJson(result, {
    depth: Infinity,
    members: 100_000,
    keep: 5,
    nodes: 1_000_000,
  });
  if ("problem" in scan) return { broken: "the tool list cannot be read" };
  const { root } = scan;
  const tools = memberOf(root, "tools");
  if (tools?.items == null) return { broken: "the tool list is no list" };
  const next = memberOf(root, "nextCursor");
  if (next !== null && next.kind !== "string" && !isNull(result, next))
    return { broken: "the cursor of the tool list is no text" };

  const names = tools.items.map((tool) =>
    stringOf(result, memberOf(tool, "name")),
  );
  const twice = road.tools.seePage({
    names: names.filter((name) => name !== null),
    cursor: exchange.cursor,
    next: stringOf(result, next),
  });
  const kept: string[] = [];
  const withheld: string[] = [];
  tools.items.forEach((tool, i) => {
    const name = names[i] ?? null;
    const problem =
      definitionProblem(result, tool) ??
      (name !== null && twice.has(name) ? "its name stands twice" : null);
    const { pins, sha256 } = road.pins;
    if (name !== null && !isShown(road, { tool: name })) return;
    if (problem !== null || name === null) {
      // A call must not pass by what was listed before.
      if (name !== null && pins.length > 0) road.tools.learn(name, UNUSABLE);
      withheld.push(
        `${name === null ? "a tool" : `\`${shown(name)}\``}: ${problem}`,
      );
      return;
    }
    // Of all that the server sent, also of what is cut out below.
    const hash =
      pins.length === 0
        ? null
        : hashOf(sha256, result.slice(tool.start, tool.end));
    road.tools.learn(name, knownTool(result, tool, hash));
    const pin = findPin(pins, name, hash);
    if (pin === undefined || isShown(road, { tool: name, pin }))
      kept.push(shownDefinition(result, tool));
    else withheld.push(`\`${shown(name)}\`: ${PIN_WORDS[pin.state]}`);
  });

  const parts = [`"tools":[${kept.join(",")}]`];
  for (const name of ["nextCursor", "resultType", "_meta"]) {
    const node = memberOf(root, name);
    if (node !== null && !isNull(result, node) && node.height <= MAX_HEIGHT)
      parts.push(`"${name}":${result.slice(node.start, node.end)}`);
  }
  for (const each of cacheMembers(result, root, exchange)) parts.push(each);
  return {
    result: `{${parts.join(",")}}`,
    withheld:
      withheld.length === 0
        ? null
        : `${withheld.length} withheld: ${withheld.slice(0, 5).join("; ")}`,
  };
}

/** Tools that are asked about are shown: a call of them may be let through. */
const isShown = (road: Road, call: Call): boolean =>
  decide(road.policy, call).effect !== "deny";

const UNUSABLE: KnownTool = {
  argumentNames: new Set(),
  textArguments: new Set(),
  headers: [],
  hash: NO_HASH,
};

const PIN_WORDS: Readonly<Record<PinFinding["state"], string>> = {
  same: "it is pinned",
  changed: "its definition is not the pinned one",
  new: "it is not among the pinned tools",
  unseen: "it was not listed",
};

const isNull = (text: string, node: JsonNode): boolean =>
  node.kind === "word" && text.startsWith("null", node.start);

/** What a newer result says of its keeping: private, and not for long. An older one says nothing. */
export function cacheMembers(
  text: string,
  result: JsonNode,
  exchange: Exchange,
): readonly string[] {
  const [ttl] = CACHE_KEYS.map((name) => memberOf(result, name));
  if (
    exchange.era === "legacy" &&
    CACHE_KEYS.every((name) => memberOf(result, name) === null)
  )
    return [];
  const said =
    ttl?.kind === "number" ? Number(text.slice(ttl.start, ttl.end)) : 0;
  const milliseconds = said > 0 ? Math.min(Math.floor(said), MAX_TTL_MS) : 0;
  return [`"ttlMs":${milliseconds}`, '"cacheScope":"private"'];
}
