// One server as a door enforces it: its rules made ready, its secrets, and what its tool lists have told so far.
// Shared by all clients of that server.
import type { Model, Server } from "../model/model.ts";
import { preparePolicy, type Policy } from "../policy/decide.ts";
import { createKnownTools, type KnownTools } from "./known-tools.ts";
import type { PinCheck } from "./pins.ts";
import { createRedactor, type Redactor } from "./redact.ts";

export interface Road {
  readonly server: string;
  /** The policy in force. A door replaces it when the rules are tightened; the next message is judged by it. */
  policy: Policy;
  /** What was pinned of the server; a door adds to it when the files are read again. */
  pins: PinCheck;
  readonly redactor: Redactor;
  readonly tools: KnownTools;
}

/** The rules of a server, made ready. Doors take them from here: how a decision is made is no affair of theirs. */
export const policyOf = (server: Server, airGap: Model["airGap"]): Policy =>
  preparePolicy(server, airGap);

/** What a road is made of: a door is given these for each of its servers. */
export interface RoadParts {
  readonly policy: Policy;
  /** Tokens and other values that the server is given: none of them ever flows back. */
  readonly secrets: readonly string[];
  readonly pins: PinCheck;
}

export const createRoad = (parts: RoadParts): Road => ({
  server: parts.policy.server,
  policy: parts.policy,
  pins: parts.pins,
  redactor: createRedactor(parts.secrets),
  tools: createKnownTools(),
});
