// What a server offers now, beside the rules and the pins: what would be shown, what was pinned of it, and which rules
// name nothing that it has.
import type { Offer, OfferedTool } from "../client/offer.ts";
import {
  areInstructionsPinned,
  findPin,
  hashOf,
  NO_HASH,
  type PinCheck,
} from "../enforce/pins.ts";
import { nearest } from "../match/nearest.ts";
import { allowMatches, refuseMatches } from "../match/tool-pattern.ts";
import type { Server } from "../model/model.ts";
import { decide, type Decision, type Policy } from "../policy/decide.ts";

interface ComparedTool extends OfferedTool {
  /** Lower-case hex SHA-256 of the canonical definition. */
  readonly hash: string;
  /** What becomes of a call. */
  readonly decision: Decision;
  /** What would become of it without pins. */
  readonly ruled: Decision;
  /** "new": it is not pinned, or the server is not. */
  readonly pinned: "same" | "changed" | "new";
  /** Why no agent is shown it although its name may be allowed, or null. */
  readonly problem: string | null;
}

export interface ComparedOffer {
  /** In the server's order. */
  readonly tools: readonly ComparedTool[];
  readonly instructions: {
    /** JSON text, or null. */
    readonly source: string | null;
    readonly hash: string | null;
    readonly state: "same" | "changed" | "new";
  };
}

export function compareOffer(
  offer: Offer,
  policy: Policy,
  { pins, sha256 }: PinCheck,
): ComparedOffer {
  const counts = new Map<string, number>();
  for (const { name } of offer.tools)
    counts.set(name, (counts.get(name) ?? 0) + 1);
  const tools = offer.tools.map((tool): ComparedTool => {
    const { name } = tool;
    const listedTwice = (counts.get(name) ?? 0) > 1;
    const problem =
      tool.problem ?? (listedTwice ? "its name stands twice" : null);
    const hash = problem === null ? hashOf(sha256, tool.source) : NO_HASH;
    const pin = findPin(pins, name, hash);
    const state = pin?.state ?? "new";
    const call = { tool: name, listedTwice };
    return {
      ...tool,
      hash,
      problem,
      ruled: decide(policy, call),
      decision: decide(policy, pin === undefined ? call : { ...call, pin }),
      pinned: state === "unseen" ? "new" : state,
    };
  });
  const source = offer.instructions;
  const hash = source === null ? null : hashOf(sha256, source);
  return {
    tools,
    instructions: {
      source,
      hash,
      state:
        pins.length === 0
          ? "new"
          : hash === null || areInstructionsPinned(pins, hash)
            ? "same"
            : "changed",
    },
  };
}

/** Rules of all layers that mean none of these tools, each once, with the nearest name. */
export function unknownRules(
  server: Server,
  names: readonly string[],
): readonly { readonly rule: string; readonly nearest: string | null }[] {
  const unknown = new Set<string>();
  for (const { allow, ask, deny } of server.tools) {
    for (const { text } of allow.kind === "only" ? allow.rules : [])
      if (!names.some((name) => allowMatches(text, name))) unknown.add(text);
    for (const { text } of [...ask, ...deny])
      if (!names.some((name) => refuseMatches(text, name))) unknown.add(text);
  }
  return [...unknown].map((rule) => ({ rule, nearest: nearest(rule, names) }));
}
