// What the log says of one decision: which server, which method and tool, who decided and why. Names of arguments,
// never a value. `src/audit` adds the time, the run, the agent and how long it took.
import type { Effect } from "../policy/decide.ts";

export interface CallRecord {
  readonly server: string;
  /** What happened. A call that was to be asked about and could not be is "deny" with the rule "tools.ask". */
  readonly effect: Effect;
  /** "POST mcp.deepwiki.com/mcp"; null when the message came over standard input or from the server. */
  readonly http: string | null;
  /** The JSON-RPC method; null when the message could not be read. */
  readonly method: string | null;
  readonly tool: string | null;
  readonly arguments: readonly string[];
  /** Words, with the position of the rule. */
  readonly reason: string;
  /** The key that decided: "tools.allow", "tools.deny", "tools.ask", "enabled", "airGap", "method", "malformed", … */
  readonly rule: string;
  /** Size of the message that was judged. */
  readonly bytes: number;
}

/** A line about something that is no message, or one that could not be read: what is not given is not known of it. */
export const bareRecord = (
  known: Pick<CallRecord, "server" | "effect" | "rule" | "reason"> &
    Partial<CallRecord>,
): CallRecord => ({
  http: null,
  method: null,
  tool: null,
  arguments: [],
  bytes: 0,
  ...known,
});
