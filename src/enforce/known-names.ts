// Member names that the protocol itself reads, and names that only look like one of them: a parser that folds case or
// Unicode forms would take those for the real thing (CVE-2026-27896), so they are refused.
import { foldName } from "../match/tool-pattern.ts";
import { META } from "./protocol.ts";

interface KnownNames {
  readonly exact: ReadonlySet<string>;
  readonly folded: ReadonlySet<string>;
}

const known = (names: readonly string[]): KnownNames => ({
  exact: new Set(names),
  folded: new Set(names.map(foldName)),
});

/** Names of a message; any other is refused. */
export const ENVELOPE: KnownNames = known([
  "jsonrpc",
  "id",
  "method",
  "params",
  "result",
  "error",
]);

/** Names of `params` that some method reads. */
export const PARAMS: KnownNames = known([
  "_meta",
  "arguments",
  "capabilities",
  "clientInfo",
  "cursor",
  "inputResponses",
  "name",
  "notifications",
  "progress",
  "progressToken",
  "protocolVersion",
  "reason",
  "requestId",
  "requestState",
  "task",
  "taskId",
  "uri",
]);

/** Names of `params._meta` that the protocol reads. */
export const PARAMS_META: KnownNames = known([
  ...Object.values(META),
  "baggage",
  "progressToken",
  "traceparent",
  "tracestate",
]);

/** True for a name that equals a known one only after folding of case, compatibility forms and invisible characters. */
export const isDisguised = (names: KnownNames, name: string): boolean =>
  !names.exact.has(name) && names.folded.has(foldName(name));
