// Which tools of a list an agent is shown, for programs: the same filter as at the doors.
import type { Policy } from "../policy/decide.ts";
import type { Exchange } from "./exchange.ts";
import type { Facts } from "./facts.ts";
import { filterTools } from "./filter-tools.ts";
import type { PinCheck } from "./pins.ts";
import { createRoad } from "./road.ts";

const LIST: Exchange = {
  id: "1",
  method: "tools/list",
  tool: null,
  era: "modern",
  progressToken: null,
  cursor: null,
};

/** A list asks nothing of the disk. */
const NO_FACTS: Facts = {
  look: () => "nothing",
  realpath: () => null,
  list: () => [],
  now: () => 0,
  windows: false,
};

const UNPINNED: PinCheck = { pins: [], sha256: () => "" };

/**
 * The definitions (as in the result of `tools/list`) that a gateway or a guard passes on under this policy, in their
 * order: allowed or asked about, listed once, fit to be shown, and as pinned. Pins are compared only when they are given.
 */
export function exposedTools<T extends { readonly name: string }>(
  policy: Policy,
  definitions: readonly T[],
  pins: PinCheck = UNPINNED,
): readonly T[] {
  const road = createRoad({ policy, secrets: [], facts: NO_FACTS, pins });
  const filtered = filterTools(
    road,
    LIST,
    JSON.stringify({ tools: definitions }),
  );
  if ("broken" in filtered) return [];
  const { tools } = JSON.parse(filtered.result) as {
    readonly tools: readonly { readonly name: string }[];
  };
  const names = new Set(tools.map(({ name }) => name));
  return definitions.filter(({ name }) => names.has(name));
}
