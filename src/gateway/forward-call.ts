// A request that was let through, on its way to the server and back: within `limits.call`, as long as the client waits,
// and with an answer in any case, the server's or our own.
import type { ServerResponse } from "node:http";
import { enforceResponse } from "../enforce/enforce-response.ts";
import { formatEvent } from "../enforce/event-stream.ts";
import type { Exchange, Outstanding } from "../enforce/exchange.ts";
import { answerForm, type HeaderValues } from "../enforce/http-head.ts";
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
import type { CallEntry, GateSession, Ready, Way } from "./gate.ts";
import { keepBroken, swapFor } from "./keep-apart.ts";
import { relayEvents, single, type Relay } from "./relay-events.ts";
import { sendJson } from "./send.ts";
import { isSessionId } from "../upstream/session-id.ts";
import { linesFor, versionOf } from "./lines.ts";
import { swapBack, swapOut, type Swap } from "./swap-ids.ts";
import type { Flight } from "../upstream/open-upstream.ts";

const NO_SWAPS: readonly Swap[] = [];
const NO_BYTES = Buffer.alloc(0);
/** Milliseconds that a server may take to end a stream whose answer has arrived, before the connection is given up. */
const LINGER = 1_000;

interface ForwardedCall {
  readonly way: Way;
  readonly verdict: Extract<Verdict, { readonly kind: "forward" }>;
  readonly exchange: Exchange;
  readonly session: GateSession | null;
  readonly res: ServerResponse;
  readonly startedAt: number;
}

/** Counts it as under way. What comes back sends it and answers the client, or drops it. */
export function forwardCall(call: ForwardedCall): Ready {
  const { way, verdict, exchange, session, res, startedAt } = call;
  const { gate, client, served } = way;
  const { name } = served;
  const endless = exchange.method === "subscriptions/listen";
  const outstanding: Outstanding = new Map([[exchange.id, exchange]]);
  const versionLines = versionOf(verdict.headers);
  let flight: Flight | null = null;
  let relay: Relay | null = null;
  let chunks: Buffer[] = [];
  let length = 0;
  let status = 0;
  let headers: HeaderValues = new Map();
  let sessionLine: readonly string[] = [];
  let over = false;

  const swap = swapFor(way, exchange);
  const swaps = swap === null ? NO_SWAPS : [swap];
  if (endless) served.streams++;
  else served.calls++;
  const entry: CallEntry = {
    client,
    served,
    session,
    exchange,
    swap,
    until: endless ? Infinity : gate.deadlines.after(served.limits.call),
    late: () => giveUp(timedOut(name, exchange.id, served.limits.call)),
    prev: null,
    next: null,
    end: () => giveUp(badGateway(name, exchange.id, "the gateway is closing")),
  };
  if (endless) gate.streams.add(entry);
  else gate.calls.add(entry);

  /** Nothing more happens on this side; what the server still sends is thrown away. */
  const finish = (keep: boolean): void => {
    if (over) return;
    over = true;
    if (endless) gate.streams.remove(entry);
    else gate.calls.remove(entry);
    if (endless) served.streams--;
    else served.calls--;
    chunks = [];
    if (keep && session !== null)
      keepBroken(session, exchange, swap, gate.bounds.broken);
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
    if (over) return;
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
    const form = answerForm(headers);
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
    const [only = NO_BYTES] = chunks;
    const came = decodeUtf8(
      chunks.length < 2 ? only : Buffer.concat(chunks, length),
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
    finish(false);
    sendJson(res, status, judged.text, { headers: sessionLine });
  };
  /** Gives the client an id of ours when the server opened a session. */
  const openSession = (): boolean => {
    const given = headers.get("mcp-session-id");
    if (given === undefined || exchange.era === "modern") return true;
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

  const send = (): Flight =>
    served.upstream.send(
      {
        method: "POST",
        lines: linesFor(verdict.headers, session),
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
  return {
    go() {
      if (over) return;
      if (session !== null && versionLines.length > 0)
        session.versionLines = versionLines;
      flight = send();
    },
    drop(refuse) {
      if (over) return;
      finish(false);
      refuse();
    },
  };
}
