// Which methods of the protocol a policy of tools leaves open, in both eras: default deny, exact names. Everything that
// is not needed to connect, to list tools and to call them is another road to the same data, and stays closed.

const REQUESTS: ReadonlySet<string> = new Set([
  "initialize",
  "ping",
  "server/discover",
  "subscriptions/listen",
  "tools/list",
  "tools/call",
]);

const NOTIFICATIONS: ReadonlySet<string> = new Set([
  "notifications/initialized",
  "notifications/cancelled",
]);

/** What a client of tools may send; whether a tool may be called is decided by its name. */
export const OPEN_METHODS: readonly string[] = [...REQUESTS, ...NOTIFICATIONS];

/**
 * Notifications that only serve features which are closed. A client gains nothing from a refusal and some end the
 * session over one, so these are swallowed instead.
 */
const WITHOUT_CONSEQUENCE: ReadonlySet<string> = new Set([
  "notifications/progress",
  "notifications/roots/list_changed",
  "notifications/tasks/status",
]);

export const isWithoutConsequence = (method: string): boolean =>
  WITHOUT_CONSEQUENCE.has(method);

export type MessageKind = "request" | "notification" | "response";

/** Why a message of this kind and method is refused, or null when the method is open. */
export function methodProblem(
  kind: MessageKind,
  method: string,
): string | null {
  if (kind === "response")
    return "answers to requests of a server are given here, not by the client";
  if (kind === "request") {
    if (REQUESTS.has(method)) return null;
    return NOTIFICATIONS.has(method)
      ? "it is a notification and came with an id"
      : "only listing and calling tools is open, and this is another method";
  }
  if (NOTIFICATIONS.has(method)) return null;
  return REQUESTS.has(method)
    ? "it is a request and came without an id"
    : "only listing and calling tools is open, and this is another method";
}
