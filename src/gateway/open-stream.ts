// A GET of the older era: the session's own stream for what the server sends unasked, or one that broke off and is taken
// up again. Answers pass only on the latter, filtered as everywhere.
import type { Outstanding } from "../enforce/exchange.ts";
import { answerForm } from "../enforce/http-head.ts";
import { isShut } from "../enforce/road.ts";
import { LEGACY_VERSIONS, MODERN_VERSIONS } from "../enforce/protocol.ts";
import type { HeaderValues } from "../enforce/http-head.ts";
import {
  badGateway,
  badToken,
  busy,
  noSession,
  refusedUpstream,
  type Failure,
} from "./failures.ts";
import type { GateSession, CallEntry } from "./gate.ts";
import { forgetBroken } from "./keep-apart.ts";
import { findSession, type Incoming } from "./post.ts";
import { relayEvents, type Relay } from "./relay-events.ts";
import { linesFor } from "./lines.ts";
import { sendError, sendJson, sendNotOffered } from "./send.ts";
import type { Flight } from "../upstream/open-upstream.ts";

export function openStream(incoming: Incoming): void {
  const { way, res, headers } = incoming;
  const { gate, served } = way;
  const version = versionOf(headers);
  if (version === "bad" || !acceptsEvents(headers)) return sendNotOffered(res);
  const session = findSession(incoming);
  // What a server sends unasked belongs to a session; where there is none, there is nothing to wait for.
  if (session === null || !served.ready || isShut(served.road.policy))
    return sendNotOffered(res);
  const fail = ({ status, body }: Failure): void => sendJson(res, status, body);
  if (session === "unknown") return fail(noSession(served.name, null));
  const last = headers.get("last-event-id")?.[0];
  const from = last === undefined ? null : gate.ids.open(session.id, last);
  if (last !== undefined && from === null)
    return sendError(res, 400, "unknown_event_id");
  const plain = from === null || from.kind === "plain";
  if (plain && session.plain !== null)
    return sendError(res, 409, "stream_exists", {
      message: "this session has its stream already",
    });
  if (
    served.streams >= gate.bounds.streams ||
    (!plain && session.resumed.size >= gate.bounds.resumed)
  )
    return fail(busy(served.name, null));
  relayStream(incoming, session, {
    plain,
    from: from?.id ?? null,
    versionLines: version === null ? [] : ["mcp-protocol-version", version],
  });
}

function relayStream(
  { way, res, startedAt }: Incoming,
  session: GateSession,
  stream: {
    readonly plain: boolean;
    /** The server's id of the last event, or null. */
    readonly from: string | null;
    readonly versionLines: readonly string[];
  },
): void {
  const { gate, client, served } = way;
  let flight: Flight | null = null;
  let relay: Relay | null = null;
  let over = false;
  const open: CallEntry = {
    client,
    served,
    session,
    exchange: null,
    swap: null,
    until: Infinity,
    late() {},
    end: () => stop(),
    prev: null,
    next: null,
  };
  served.streams++;
  gate.streams.add(open);
  if (stream.plain) session.plain = open;
  else session.resumed.add(open);

  const finish = (): void => {
    if (over) return;
    over = true;
    served.streams--;
    gate.streams.remove(open);
    if (session.plain === open) session.plain = null;
    session.resumed.delete(open);
    res.off("close", stop);
  };
  const stop = (): void => {
    flight?.abort();
    finish();
    if (res.headersSent) res.end();
    else sendJson(res, 503, busy(served.name, null).body);
  };
  const fail = ({ status, body }: Failure): void => {
    flight?.abort();
    finish();
    sendJson(res, status, body);
  };
  res.on("close", stop);

  const onHead = (status: number, headers: HeaderValues): void => {
    if (status === 200 && answerForm(headers) === "events") {
      relay = relayEvents({
        way,
        res,
        headers: [],
        flight: () => flight,
        swaps: () => (stream.plain ? [] : [...session.swaps.values()]),
        session,
        outstanding: stream.plain ? NO_ANSWERS : session.broken,
        versionLines: stream.versionLines,
        kind: stream.plain ? "plain" : "call",
        ends: false,
        era: "legacy",
        startedAt,
        settled: ({ id }) => forgetBroken(session, id),
        broken: stop,
      });
      return;
    }
    if (status === 405) {
      flight?.abort();
      finish();
      return sendNotOffered(res);
    }
    if (status === 401 || status === 403 || status === 407)
      return fail(badToken(served.name, null));
    if (status === 404) {
      fail(noSession(served.name, null));
      return gate.sessions.end(session);
    }
    fail(
      status >= 400 && status < 500
        ? refusedUpstream(served.name, null, status)
        : badGateway(served.name, null, "it did not answer with a stream"),
    );
  };

  flight = served.upstream.send(
    {
      method: "GET",
      lines: [
        ...linesFor([], session),
        ...stream.versionLines,
        ...(stream.from === null ? [] : ["last-event-id", stream.from]),
      ],
      body: null,
      endless: true,
    },
    {
      head: (status, headers) => {
        if (!over) onHead(status, headers);
      },
      data: (chunk) => relay?.data(chunk),
      end: () => {
        if (!over) stop();
      },
      failed: (words) => {
        if (over) return;
        if (relay === null) fail(badGateway(served.name, null, words));
        else stop();
      },
    },
  );
}

/** On a stream that resumes nothing no answer may arrive. */
const NO_ANSWERS: Outstanding = new Map();

/** The version for the server; null when the client says none, "bad" when this era has no streams of its own. */
function versionOf(headers: HeaderValues): string | null | "bad" {
  const version = headers.get("mcp-protocol-version")?.[0]?.trim();
  if (version === undefined) return null;
  return !MODERN_VERSIONS.includes(version) && LEGACY_VERSIONS.includes(version)
    ? version
    : "bad";
}

const acceptsEvents = (headers: HeaderValues): boolean =>
  (headers.get("accept") ?? []).some((value) =>
    /(?:^|[,\s])(?:text\/event-stream|text\/\*|\*\/\*)(?:$|[,;\s])/i.test(
      value,
    ),
  );
