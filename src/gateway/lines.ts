// Header lines for a server, beside those that every request to it has: the protocol's, made from the judged message, and
// the server's own session id.
import type { GateSession } from "./gate.ts";

type Headers = readonly (readonly [name: string, value: string])[];

const NONE: readonly string[] = [];

/** Name, value, name, value. */
export function linesFor(
  headers: Headers,
  session: Pick<GateSession, "upstreamId"> | null,
): readonly string[] {
  if (headers.length === 0 && session === null) return NONE;
  const lines: string[] = [];
  for (const [name, value] of headers) lines.push(name, value);
  if (session !== null) lines.push("mcp-session-id", session.upstreamId);
  return lines;
}

/** The line with the protocol's version, if there is one. */
export function versionOf(headers: Headers): readonly string[] {
  const found = headers.find(([name]) => name === "mcp-protocol-version");
  return found ?? NONE;
}
