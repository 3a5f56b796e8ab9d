// A POST: its head, its session, its one message; then what the road says, and nothing else.
import type { IncomingMessage, ServerResponse } from "node:http";
import { enforceRequest, unlogged } from "../enforce/enforce-request.ts";
import { requestHeadProblem, type HeaderValues } from "../enforce/http-head.ts";
import { readMessage } from "../enforce/message.ts";
import { CODE, MODERN_VERSIONS } from "../enforce/protocol.ts";
import type { CallRecord } from "../enforce/record.ts";
import { malformed } from "../enforce/refuse.ts";
import type { Verdict } from "../enforce/verdict.ts";
import { busy, noSession, noToken, type Failure } from "./failures.ts";
import { forwardCall } from "./forward-call.ts";
import { forwardNotice } from "./forward-notice.ts";
import type { GateSession, Way } from "./gate.ts";
import { outstandingFor } from "./keep-apart.ts";
import { readBody, type Body } from "./read-body.ts";
import { orRefuse, sendEmpty, sendError, sendJson } from "./send.ts";

export interface Incoming {
  readonly way: Way;
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly headers: HeaderValues;
  readonly startedAt: number;
}

export function handlePost(incoming: Incoming): void {
  const { way, req, res, headers } = incoming;
  const problem = requestHeadProblem(headers);
  if (problem !== null)
    return send(res, malformed({ ...problem, id: null, code: CODE.invalid }));
  const session = findSession(incoming);
  if (session === "unknown") return send(res, noSession(way.served.name, null));
  readBody(
    req,
    way.served.limits.request,
    headers.get("content-length")?.[0],
    (body) => orRefuse(res, () => judge(incoming, session, body)),
  );
}

function judge(
  { way, res, headers, startedAt }: Incoming,
  session: GateSession | null,
  body: Body,
): void {
  const { gate, client, served } = way;
  if ("problem" in body)
    return body.problem === "too-large"
      ? sendError(res, 413, "too_large", {
          message: "the body is larger than `limits.request`",
          close: true,
        })
      : void res.destroy();
  const read = readMessage(body.bytes, { bytes: served.limits.request });
  const verdict = enforceRequest(served.road, read, {
    http: served.post,
    headers,
    outstanding: outstandingFor(way, session, read.kind),
  });
  const short =
    verdict.kind === "forward" ? shortage(way, session, verdict) : null;
  if (verdict.record === null) return sendEmpty(res, 202);
  const refuse = (): void => send(res, unlogged(verdict, served.road));
  if (verdict.kind === "forward" && short === null) {
    const { exchange } = verdict;
    // It counts as under way from now on, and goes out when its line stands.
    const call =
      exchange === null
        ? forwardNotice({ way, verdict, session, res })
        : forwardCall({ way, verdict, exchange, session, res, startedAt });
    return gate.logThen(verdict.record, client, startedAt, (written) =>
      orRefuse(res, () => (written ? call.go() : call.drop(refuse))),
    );
  }
  const record: CallRecord =
    short === null
      ? verdict.record
      : { ...verdict.record, effect: "deny", ...short.why };
  if (!gate.log(record, client, startedAt)) return refuse();
  if (short !== null) return send(res, short.failure, short.headers);
  if (verdict.kind === "answer") return send(res, verdict.answer);
  sendEmpty(res, 202);
}

function send(
  res: ServerResponse,
  { status, body }: Failure,
  headers: readonly string[] = [],
): void {
  if (body === "") sendEmpty(res, status);
  else sendJson(res, status, body, { headers });
}

/** The session that a request names. The newer era has none: there the header is ignored. */
export function findSession({
  way,
  headers,
}: Pick<Incoming, "way" | "headers">): GateSession | null | "unknown" {
  const id = headers.get("mcp-session-id")?.[0];
  const version = headers.get("mcp-protocol-version")?.[0]?.trim();
  if (id === undefined || MODERN_VERSIONS.includes(version ?? "")) return null;
  return way.gate.sessions.find(id, way.client, way.served) ?? "unknown";
}

/** What there is too little of to send a message on, or null. */
function shortage(
  way: Way,
  session: GateSession | null,
  verdict: Extract<Verdict, { readonly kind: "forward" }>,
): {
  readonly failure: Failure;
  readonly headers: readonly string[];
  readonly why: Pick<CallRecord, "rule" | "reason">;
} | null {
  const { gate, client, served } = way;
  const { exchange, message } = verdict;
  if (!served.ready)
    return {
      failure: noToken(served.name, message.id),
      headers: [],
      why: { rule: "token", reason: "no token is stored for it" },
    };
  const endless = exchange?.method === "subscriptions/listen";
  const room =
    (endless
      ? served.streams < gate.bounds.streams
      : served.calls < gate.bounds.calls) &&
    (exchange?.method !== "initialize" ||
      session !== null ||
      gate.sessions.hasRoom(client));
  return room
    ? null
    : {
        failure: busy(served.name, message.id),
        headers: ["retry-after", "1"],
        why: { rule: "busy", reason: "too much is under way at once" },
      };
}
