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

export const createRoad = (options: {
  readonly policy: Policy;
  /** Tokens and header values that are put on requests to the server: none of them ever flows back. */
  readonly secrets: readonly string[];
  readonly pins: PinCheck;
}): Road => ({
  server: options.policy.server,
  policy: options.policy,
  pins: options.pins,
  redactor: createRedactor(options.secrets),
  tools: createKnownTools(),
});
