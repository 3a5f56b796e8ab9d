// One server as a door enforces it: its rules made ready, its secrets, what its tool lists have told so far, and when it
// was last called. Shared by all clients of that server.
import { expressionOf } from "../match/expression.ts";
import { MOST_CALLS } from "../match/rate.ts";
import type { CommonRules, Server } from "../model/model.ts";
import { preparePolicy, type Policy } from "../policy/decide.ts";
import type { Facts } from "./facts.ts";
import { createKnownTools, type KnownTools } from "./known-tools.ts";
import type { PinCheck } from "./pins.ts";
import { createRedactor, type Redactor } from "./redact.ts";

export interface Road {
  readonly server: string;
  /** The policy in force; `putInForce` replaces it, and the next message is judged by it. */
  policy: Policy;
  /** What was pinned of the server. */
  pins: PinCheck;
  redactor: Redactor;
  readonly secrets: readonly string[];
  readonly facts: Facts;
  readonly tools: KnownTools;
  readonly calls: LastCalls;
}

/** When calls were let through. */
interface LastCalls {
  add(now: number): void;
  /** When the last but so many calls was let through; -Infinity when there were not as many. */
  before(count: number): number;
}

/** The rules of a server, made ready. Doors take them from here: how a decision is made is no affair of theirs. */
export const policyOf = (server: Server, rules: CommonRules): Policy =>
  preparePolicy(server, rules);

/** Whether nothing passes under it, whatever a message says: there is no need to wait for one. */
export const isShut = (policy: Policy): boolean => policy.shut !== null;

/** What a road is made of: a door is given these for each of its servers. */
export interface RoadParts {
  readonly policy: Policy;
  /** Tokens and other values that the server is given: none of them ever flows back. */
  readonly secrets: readonly string[];
  readonly facts: Facts;
  readonly pins: PinCheck;
}

export const createRoad = (parts: RoadParts): Road => ({
  server: parts.policy.server,
  policy: parts.policy,
  pins: parts.pins,
  redactor: redactorFor(parts.policy, parts.secrets),
  secrets: parts.secrets,
  facts: parts.facts,
  tools: createKnownTools(),
  calls: lastCalls(),
});

/** From now on these rules hold. Whether they are stricter is the caller's to see to. */
export function putInForce(
  road: Road,
  { policy, pins }: Pick<RoadParts, "policy" | "pins">,
): void {
  road.policy = policy;
  road.pins = pins;
  road.redactor = redactorFor(policy, road.secrets);
}

const redactorFor = (policy: Policy, secrets: readonly string[]): Redactor =>
  createRedactor(secrets, policy.arguments.redact.map(expressionOf));

/** As many as a rate can count, the oldest forgotten first. Nothing is kept before the first call. */
function lastCalls(): LastCalls {
  const times: number[] = [];
  let next = 0;
  return {
    add(now) {
      times[next] = now;
      next = (next + 1) % MOST_CALLS;
    },
    before: (count) =>
      times[(next - count + MOST_CALLS) % MOST_CALLS] ?? -Infinity,
  };
}
