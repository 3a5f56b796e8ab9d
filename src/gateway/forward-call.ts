// A request that was let through, on its way to the server and back: within `limits.call`, as long as the client waits,
// and with an answer in any case, the server's or our own.
import type { ServerResponse } from "node:http";
import { enforceResponse } from "../enforce/enforce-response.ts";
import { formatEvent } from "../enforce/event-stream.ts";
import type { Exchange, Outstanding } from "../enforce/exchange.ts";
import { answerForm, type AnswerHeaders } from "../enforce/http-head.ts";
import { decodeUtf8 } from "../enforce/message.ts";
import type { Verdict } from "../enforce/verdict.ts";
import {
  badGateway,
  badToken,
  noSession,
  refusedUpstream,
  timedOut,
  type Failure,
} from "./failures.ts";
import type { CallEntry, GateSession, Way } from "./gate.ts";
import { forget, remember, swapFor } from "./keep-apart.ts";
import { relayEvents, single, type Relay } from "./relay-events.ts";
import { sendJson } from "./send.ts";
import { isSessionId } from "./sessions.ts";
import { sessionLines } from "./reply-upstream.ts";
import { swapBack, swapOut, type Swap } from "./swap-ids.ts";
import type { Flight } from "./upstream.ts";

const NO_SWAPS: readonly Swap[] = [];
const VERSION = "mcp-protocol-version";

/** Milliseconds that a server may take to end a stream whose answer has arrived, before the connection is given up. */
const LINGER = 1_000;

export interface ForwardedCall {
  readonly way: Way;
  readonly verdict: Extract<Verdict, { readonly kind: "forward" }>;
  readonly exchange: Exchange;
  readonly session: GateSession | null;
  readonly res: ServerResponse;
  readonly startedAt: number;
}

/** Sends it and answers the client. */
export function forwardCall(call: ForwardedCall): void {
  const { way, verdict, exchange, session, res, startedAt } = call;
  const { gate, client, served } = way;
  const { name } = served;
  const endless = exchange.method === "subscriptions/listen";
  const outstanding: Outstanding = new Map();
  outstanding.set(exchange.id, exchange);
  const { lines, versionLines } = linesFor(verdict, session);
  let flight: Flight | null = null;
  let relay: Relay | null = null;
  let chunks: Buffer[] = [];
  let length = 0;
  let status = 0;
  let headers = null as AnswerHeaders | null;
  let sessionLine: readonly string[] = [];
  let over = false;

  const swap = swapFor(way, exchange);
  const swaps = swap === null ? NO_SWAPS : [swap];
  if (session !== null)
    remember(session, exchange, swap, gate.bounds.outstanding);
  if (session !== null && versionLines.length > 0)
    session.versionLines = versionLines;
  if (endless) served.streams++;
  else served.calls++;
  const entry: CallEntry = {
    client,
    served,
    session,
    exchange,
    swap,
    prev: null,
    next: null,
    end: () => giveUp(badGateway(name, exchange.id, "the gateway is closing")),
  };
  if (endless) gate.streams.add(entry);
  else gate.calls.add(entry);
  const timer = endless
    ? null
    : setTimeout(
        () => giveUp(timedOut(name, exchange.id, served.limits.call)),
        served.limits.call,
      );

  /** Nothing more happens on this side; what the server still sends is thrown away. */
  const finish = (keep: boolean): void => {
    if (over) return;
    over = true;
    if (timer !== null) clearTimeout(timer);
    if (endless) gate.streams.remove(entry);
    else gate.calls.remove(entry);
    if (endless) served.streams--;
    else served.calls--;
    res.off("close", gone);
    chunks = [];
    if (!keep && session !== null) forget(session, exchange.id);
  };
  const answer = (failure: Failure): void => {
    finish(false);
    if (relay === null) return sendJson(res, failure.status, failure.body);
    res.end(formatEvent({ data: failure.body, id: null, retry: null }));
  };
  const giveUp = (failure: Failure): void => {
    flight?.abort();
    answer(failure);
  };
  const wrong = (words: string): void =>
    giveUp(badGateway(name, exchange.id, words));
  const gone = (): void => {
    flight?.abort();
    finish(relay?.resumable() === true);
  };
  res.on("close", gone);

  const onHead = (): void => {
    if (status === 401 || status === 403 || status === 407)
      return giveUp(badToken(name, exchange.id));
    if (status >= 300 && status < 400)
      return wrong("it answered with a redirect, and none is followed");
    if (status >= 500) return wrong(`it answered with status ${status}`);
    if (status === 404 && session !== null) {
      gate.sessions.end(session);
      return giveUp(noSession(name, exchange.id));
    }
    const form = headers === null ? null : answerForm(headers);
    if (status >= 400)
      return form === "json"
        ? undefined
        : giveUp(refusedUpstream(name, exchange.id, status));
    if (status !== 200 || form === null)
      return wrong("its answer is neither JSON nor an event stream, as it is");
    if (form === "json") return;
    if (exchange.method === "initialize" && !openSession()) return;
    relay = relayEvents({
      way,
      res,
      headers: sessionLine,
      flight: () => flight,
      swaps: () => swaps,
      session,
      outstanding,
      versionLines,
      kind: "call",
      ends: true,
      era: exchange.era,
      startedAt,
      settled(passed) {
        if (passed !== exchange) return;
        finish(false);
        res.end();
        const linger = setTimeout(() => flight?.abort(), LINGER);
        linger.unref();
      },
      broken: wrong,
    });
  };
  const onBody = (): void => {
    const [first] = chunks;
    const came = decodeUtf8(
      chunks.length === 1 && first !== undefined
        ? first
        : Buffer.concat(chunks, length),
    );
    if (came === null) return wrong("its answer is not UTF-8");
    const text = swapBack(came, swaps);
    if (text === null) return wrong("its answer belongs to another request");
    const judged = enforceResponse(served.road, text, {
      outstanding,
      place: "body",
      era: exchange.era,
    });
    const logged =
      judged.record === null || gate.log(judged.record, client, startedAt);
    if (judged.kind !== "pass" || !logged)
      return status >= 400
        ? answer(refusedUpstream(name, exchange.id, status))
        : wrong(judged.kind === "broken" ? judged.reason : "it gave no answer");
    if (exchange.method === "initialize" && status === 200 && !openSession())
      return;
    sendJson(res, status, judged.text, { headers: sessionLine });
    finish(false);
  };
  /** Gives the client an id of ours when the server opened a session. */
  const openSession = (): boolean => {
    if (headers?.get("mcp-session-id") === undefined) return true;
    if (exchange.era === "modern") return true;
    const upstreamId = single(headers, "mcp-session-id");
    if (upstreamId === null || !isSessionId(upstreamId)) {
      wrong("its session id is none");
      return false;
    }
    const opened = gate.sessions.open({
      client,
      server: served,
      upstreamId,
      versionLines,
    });
    sessionLine = ["mcp-session-id", opened.id];
    return true;
  };

  flight = served.upstream.send(
    {
      method: "POST",
      lines,
      body: swap === null ? verdict.bytes : swapOut(verdict.bytes, swap),
      endless,
    },
    {
      head(code, values) {
        if (over) return;
        status = code;
        headers = values;
        onHead();
      },
      data(chunk) {
        if (relay !== null) return relay.data(chunk);
        if (over) return;
        length += chunk.length;
        const most =
          status >= 400
            ? Math.min(gate.bounds.errorBytes, served.limits.response)
            : served.limits.response;
        if (length > most)
          return wrong("its answer is larger than `limits.response`");
        chunks.push(chunk);
      },
      end() {
        if (over) return;
        if (relay === null) return onBody();
        if (relay.resumable()) {
          finish(true);
          res.end();
        } else wrong("its stream ended without an answer");
      },
      failed(words) {
        if (over) return;
        if (relay?.resumable() === true) {
          finish(true);
          res.end();
        } else wrong(words);
      },
    },
  );
}

/** Header lines of the request for the server, and those of them that say the protocol's version. */
function linesFor(
  verdict: ForwardedCall["verdict"],
  session: GateSession | null,
): {
  readonly lines: readonly string[];
  readonly versionLines: readonly string[];
} {
  const lines = [...sessionLines(session)];
  let versionLines: readonly string[] = [];
  for (const line of verdict.headers) {
    lines.push(...line);
    if (line[0] === VERSION) versionLines = line;
  }
  return { lines, versionLines };
}
