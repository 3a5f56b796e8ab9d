// A server's event stream on its way to a client: read event by event, each message judged, what may pass printed anew
// and written at once. A client that reads slowly slows the server down; nothing is collected.
import type { ServerResponse } from "node:http";
import { enforceResponse } from "../enforce/enforce-response.ts";
import {
  createEventParser,
  formatEvent,
  type StreamEvent,
} from "../enforce/event-stream.ts";
import type { Exchange, Outstanding } from "../enforce/exchange.ts";
import type { Era } from "../enforce/protocol.ts";
import type { HeaderValues } from "../enforce/http-head.ts";
import { LONGEST_EVENT_ID, type StreamKind } from "./event-ids.ts";
import type { GateSession, Way } from "./gate.ts";
import { replyUpstream } from "./reply-upstream.ts";
import { swapBack, type Swap } from "./swap-ids.ts";
import type { Flight } from "../upstream/open-upstream.ts";

interface RelayOptions {
  readonly way: Way;
  readonly res: ServerResponse;
  /** Header lines of the answer beside those of every stream. */
  readonly headers: readonly string[];
  readonly flight: () => Flight | null;
  readonly session: GateSession | null;
  /** What went out under another id than the client's and may be answered here. */
  readonly swaps: () => readonly Swap[];
  /** The answers that may arrive here. */
  readonly outstanding: Outstanding;
  readonly versionLines: readonly string[];
  readonly kind: StreamKind;
  /** The stream is over with the first answer. */
  readonly ends: boolean;
  readonly era: Era;
  readonly startedAt: number;
  /** An answer has been passed on. */
  readonly settled: (exchange: Exchange) => void;
  /** The server broke a rule so that nothing of it can be read any more. */
  readonly broken: (words: string) => void;
}

export interface Relay {
  data(chunk: Buffer): void;
  /** True when the stream named an event from which it can be taken up again. */
  readonly resumable: () => boolean;
}

/** Sends the head of the answer and relays what comes. */
export function relayEvents(options: RelayOptions): Relay {
  const { way, res, session, outstanding } = options;
  const { gate, client, served } = way;
  let out = "";
  let resumable = false;
  let over = false;
  res.writeHead(200, [
    "content-type",
    "text/event-stream",
    "cache-control",
    "no-store",
    "x-accel-buffering",
    "no",
    ...options.headers,
  ]);
  res.flushHeaders();

  /** An id of the server's for the client, or null when the stream cannot be resumed from here. */
  const sealed = (id: string | null): string | null => {
    if (session === null || id === null || id.length > LONGEST_EVENT_ID)
      return null;
    if (served.road.redactor.text(id) !== id) return null;
    return gate.ids.seal(session.id, options.kind, id);
  };
  const onEvent = (event: StreamEvent): void => {
    if (over) return;
    // Under another name a client might take it for an address or a list that nobody has judged.
    if (event.event !== null) return;
    const id = sealed(event.id);
    // Without a session there is nothing to come back to.
    const retry = session === null ? null : event.retry;
    if (event.data === null || event.data === "") {
      if (id !== null) resumable = true;
      if (id !== null || retry !== null)
        out += formatEvent({ data: "", id, retry });
      return;
    }
    const text = swapBack(event.data, options.swaps());
    if (text === null) return;
    const verdict = enforceResponse(served.road, text, {
      outstanding,
      place: "stream",
      era: options.era,
    });
    const logged =
      verdict.record === null ||
      gate.log(verdict.record, client, options.startedAt);
    if (verdict.kind === "reply")
      replyUpstream(
        served,
        session,
        options.versionLines,
        verdict.text,
        gate.bounds.replies,
      );
    if (verdict.kind !== "pass" || !logged) return;
    if (id !== null) resumable = true;
    out += formatEvent({ data: verdict.text, id, retry });
    if (verdict.settled === null) return;
    over = options.ends;
    flush();
    options.settled(verdict.settled);
  };
  const flush = (): void => {
    if (out === "" || res.destroyed || res.writableEnded) return;
    const text = out;
    out = "";
    if (res.write(text)) return;
    const flight = options.flight();
    flight?.pause();
    res.socket?.setTimeout(gate.bounds.writeStall);
    res.once("drain", () => {
      res.socket?.setTimeout(0);
      flight?.resume();
    });
  };
  const parser = createEventParser(served.limits.response);

  return {
    data(chunk) {
      if (over) return;
      for (const event of parser.push(chunk)) onEvent(event);
      flush();
      const problem = parser.problem();
      if (over || problem === null) return;
      over = true;
      options.broken(
        problem === "too-large"
          ? "one of its events is larger than `limits.response`"
          : "its stream is not UTF-8",
      );
    },
    resumable: () => resumable,
  };
}

/** Whether an answer carries one header once, and what it says. */
export const single = (headers: HeaderValues, name: string): string | null => {
  const values = headers.get(name);
  return values?.length === 1 ? (values[0] ?? null) : null;
};
