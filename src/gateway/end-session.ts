// A DELETE: the session ends here and at its server.
import { noSession } from "./failures.ts";
import { findSession, type Incoming } from "./post.ts";
import { endUpstream } from "./reply-upstream.ts";
import { sendEmpty, sendJson, sendNotOffered } from "./send.ts";

export function endSession(incoming: Incoming): void {
  const { way, res } = incoming;
  const session = findSession(incoming);
  if (session === null) return sendNotOffered(res);
  if (session === "unknown") {
    const { status, body } = noSession(way.served.name, null);
    return sendJson(res, status, body);
  }
  way.gate.sessions.end(session);
  // A server that keeps its sessions (405) changes nothing for the client: here it has ended.
  endUpstream(session, () => sendEmpty(res, 204));
}
