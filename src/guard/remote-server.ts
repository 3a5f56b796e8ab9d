// A server that is an address: each message is a POST of its own, and what comes back, as JSON or as events, is heard one
// message at a time. In the older era there is a session, its stream for what the server sends unasked, and a DELETE.
import type { Exchange, Outstanding } from "../enforce/exchange.ts";
import { answerForm, type HeaderValues } from "../enforce/http-head.ts";
import { memberOf } from "../enforce/json-scan.ts";
import { decodeUtf8, idOf, type Message } from "../enforce/message.ts";
import { LEGACY_VERSIONS, type Era } from "../enforce/protocol.ts";
import type { HttpTransport } from "../model/model.ts";
import type { Resolve } from "../upstream/checked-lookup.ts";
import type { Credentials } from "../upstream/credentials.ts";
import { openUpstream, type Flight } from "../upstream/open-upstream.ts";
import { isSessionId } from "../upstream/session-id.ts";
import { cancelled, type Behind, type Forward, type Hearer } from "./behind.ts";
import {
  createFlights,
  hearEvents,
  NOTHING,
  RETRY,
  type AnswerSink,
  type StreamPlace,
} from "./flights.ts";
import { within } from "./within.ts";

const BOUNDS = { headBytes: 16 * 1024, connectTime: 10_000 };
/** Bytes of an answer that is an error. */
const ERROR_BYTES = 64 * 1024;
/** Bytes that wait for a server's answer before the agent is not read any further. */
const FULL = 16 * 1024 * 1024;
/** Answers to the server's own requests that are under way. */
const REPLIES = 32;
/** Milliseconds: until what is under way is broken off at the end, and what a server gets to end a session. */
const PATIENCE = { answers: 2_000, session: 1_000, linger: 1_000 };
const NO_ANSWERS: Outstanding = new Map();

export interface RemoteServer {
  readonly transport: HttpTransport;
  readonly credentials: Credentials;
  /** How names are resolved; Node's own way when it is absent. */
  readonly resolve?: Resolve;
}

export function openRemote(
  { transport, credentials, resolve }: RemoteServer,
  hearer: Hearer,
  mostBytes: () => number,
): Behind {
  const upstream = openUpstream(transport, credentials, BOUNDS, resolve);
  const flights = createFlights(upstream, hearer);
  /** What ends a request that waits for its answer, by id: at once, or after a moment for the server to end its stream. */
  const open = new Map<string, (atOnce: boolean) => void>();
  let replies = 0;
  let session: string | null = null;
  let version: string | null = null;
  let era: Era = "legacy";
  /** What waits until the opening is done: only then it is known what goes with it. */
  let held: (() => void)[] | null = null;
  let closing = false;
  let quiet: () => void = () => {};

  /** Header lines of every request in the session. */
  const sessionLines = (): string[] => [
    ...(session === null ? [] : ["mcp-session-id", session]),
    ...(version === null || era === "modern"
      ? []
      : ["mcp-protocol-version", version]),
  ];
  const hold = (): void => void (held ??= []);
  const release = (): void => {
    const waiting = held ?? [];
    held = null;
    // One of them may be the next that the others have to wait for.
    for (const each of waiting) later(each);
  };
  const later = (what: () => void): void => {
    if (held === null) what();
    else held.push(what);
  };

  const eventsOf = (
    outstanding: Outstanding,
    place: StreamPlace,
    broken: (words: string) => void,
  ) =>
    hearEvents({ hearer, mostBytes: mostBytes(), outstanding, place, broken });

  const ask = (verdict: Forward, exchange: Exchange): void => {
    const outstanding: Outstanding = new Map([[exchange.id, exchange]]);
    const opening = exchange.method === "initialize";
    const endless = exchange.method === "subscriptions/listen";
    const rest: StreamPlace = { last: null, retry: RETRY.first };
    let events: ReturnType<typeof eventsOf> | null = null;
    let status = 0;
    let chunks: Buffer[] = [];
    let length = 0;
    let flight: Flight | null = null;
    let over = false;
    let timer: NodeJS.Timeout | undefined;

    const finish = (): void => {
      over = true;
      chunks = [];
      outstanding.clear();
      clearTimeout(timer);
      open.delete(exchange.id);
      if (open.size === 0) quiet();
      if (opening && held !== null) release();
    };
    const fail = (words: string): void => {
      if (over) return;
      finish();
      flight?.abort();
      hearer.failed(exchange, words);
      hearer.pass();
    };
    const wrong = (words: string): void => fail(`gave no answer: ${words}`);
    open.set(exchange.id, (atOnce) => {
      finish();
      if (atOnce) flight?.abort();
      else setTimeout(() => flight?.abort(), PATIENCE.linger).unref();
    });

    const head = (code: number, headers: HeaderValues): void => {
      status = code;
      if (code === 401 || code === 403 || code === 407)
        return fail(
          "does not accept the request's credentials; the user has to look at the token",
        );
      if (code >= 300 && code < 400)
        return wrong("it answered with a redirect, and none is followed");
      if (code >= 500) return wrong(`it answered with status ${code}`);
      if (code === 404 && session !== null && !opening) {
        fail("has ended the session; the agent has to connect again");
        return hearer.ended("ended the session");
      }
      const form = answerForm(headers);
      if (code >= 400)
        return form === "json"
          ? undefined
          : wrong(`it answered with status ${code}`);
      if (code !== 200 || form === null)
        return wrong("its answer is neither JSON nor an event stream");
      if (opening && events === null) {
        const [id, second] = headers.get("mcp-session-id") ?? [];
        if (id !== undefined && (second !== undefined || !isSessionId(id)))
          return wrong("it gave a session id that is none");
        session = id ?? null;
      }
      if (form === "events") events = eventsOf(outstanding, rest, wrong);
    };
    const sink: AnswerSink = {
      head: (code, headers) => {
        if (!over) head(code, headers);
      },
      data(chunk) {
        if (over) return;
        if (events !== null) return events(chunk);
        length += chunk.length;
        if (length > (status >= 400 ? ERROR_BYTES : mostBytes()))
          return wrong("its answer is larger than `limits.response`");
        chunks.push(chunk);
      },
      end() {
        if (over) return;
        if (events !== null)
          return resumeOr("its stream ended without an answer");
        const text = decodeUtf8(Buffer.concat(chunks, length));
        if (text === null) return wrong("its answer is not UTF-8");
        hearer.message(text, { outstanding, place: "body" });
        wrong(
          status >= 400
            ? `it answered with status ${status}`
            : "what it sent is no answer",
        );
      },
      failed(words) {
        if (!over) resumeOr(words);
      },
    };
    /** Takes the stream up again where the server said that it can be. */
    const resumeOr = (words: string): void => {
      const { last, retry } = rest;
      if (last === null || session === null || closing) return wrong(words);
      timer = setTimeout(() => {
        if (over) return;
        flight = flights.send(
          {
            method: "GET",
            lines: [...sessionLines(), "last-event-id", last],
            body: null,
            endless: true,
          },
          sink,
        );
      }, retry);
    };
    const lines = verdict.headers.flat();
    flight = flights.send(
      {
        method: "POST",
        lines: opening ? lines : [...sessionLines(), ...lines],
        body: verdict.bytes,
        endless,
      },
      sink,
    );
  };

  const tell = (verdict: Forward): void => {
    const { message } = verdict;
    const opened = message.method === "notifications/initialized";
    if (message.method === "notifications/cancelled") {
      open.get(cancelledBy(message) ?? "")?.(true);
      // In the newer era the end of the connection says it.
      if (era === "modern") return;
    }
    let told = false;
    const done = (status: number): void => {
      if (told) return;
      told = true;
      if (!opened) return;
      release();
      if (status >= 200 && status < 300) listen(RETRY.first);
    };
    if (opened) hold();
    let taken = 0;
    const flight: Flight = flights.send(
      {
        method: "POST",
        lines: [...sessionLines(), ...verdict.headers.flat()],
        body: verdict.bytes,
        endless: false,
      },
      {
        head: done,
        // Whatever is said to a notification is thrown away, but not without end.
        data(chunk) {
          taken += chunk.length;
          if (taken > ERROR_BYTES) flight.abort();
        },
        end() {},
        failed: () => done(0),
      },
    );
  };

  /** The stream for what the server sends unasked, if it offers one. */
  const listen = (wait: number): void => {
    if (closing || era === "modern") return;
    const rest: StreamPlace = { last: null, retry: RETRY.first };
    let events: ReturnType<typeof eventsOf> | null = null;
    let heard = false;
    const again = (): void => {
      if (events === null || closing) return;
      const next = heard ? rest.retry : Math.min(2 * wait, RETRY.most);
      events = null;
      setTimeout(() => listen(next), next).unref();
    };
    const flight: Flight = flights.send(
      { method: "GET", lines: sessionLines(), body: null, endless: true },
      {
        head(status, headers) {
          if (status === 200 && answerForm(headers) === "events")
            events = eventsOf(NO_ANSWERS, rest, () => {
              events = null;
              flight.abort();
            });
          else flight.abort();
        },
        data(chunk) {
          heard = true;
          events?.(chunk);
        },
        end: again,
        failed: again,
      },
    );
  };

  return {
    forward(verdict) {
      const { exchange } = verdict;
      later(() => {
        if (exchange === null) return tell(verdict);
        ({ era } = verdict);
        if (exchange.method === "initialize") {
          session = version = null;
          hold();
        }
        ask(verdict, exchange);
      });
    },
    reply(text) {
      // A server that asks faster than it takes answers gets no more of them.
      if (replies >= REPLIES) return;
      replies++;
      const done = (): void => void replies--;
      flights.send(
        {
          method: "POST",
          lines: sessionLines(),
          body: Buffer.from(text),
          endless: false,
        },
        { ...NOTHING, end: done, failed: done },
      );
    },
    cancel({ id, method, era: its }) {
      open.get(id)?.(true);
      // In the newer era the end of the connection says it, and the opening cannot be cancelled.
      if (its === "modern" || method === "initialize") return;
      flights.send(
        {
          method: "POST",
          lines: sessionLines(),
          body: Buffer.from(cancelled(id)),
          endless: false,
        },
        NOTHING,
      );
    },
    settled(exchange, text) {
      if (exchange.method === "initialize" && text !== null)
        version = versionIn(text);
      open.get(exchange.id)?.(text === null);
    },
    flush() {},
    isFull: () => flights.bytes() >= FULL,
    pause: flights.pause,
    resume: flights.resume,
    async close() {
      closing = true;
      if (open.size > 0)
        await within(
          new Promise<void>((resolve) => (quiet = resolve)),
          PATIENCE.answers,
        );
      flights.abort();
      if (session !== null && era === "legacy")
        await within(
          new Promise<void>((resolve) => {
            flights.send(
              {
                method: "DELETE",
                lines: sessionLines(),
                body: null,
                endless: false,
              },
              {
                head: () => resolve(),
                data() {},
                end: resolve,
                failed: () => resolve(),
              },
            );
          }),
          PATIENCE.session,
        );
      await upstream.close();
    },
  };
}

function cancelledBy(message: Message): string | null {
  const node = memberOf(message.params, "requestId");
  return node === null ? null : idOf(message.text, node);
}

/** The version that an answer to `initialize` settles on. */
function versionIn(text: string): string | null {
  const { result } = JSON.parse(text) as {
    readonly result?: { readonly protocolVersion?: unknown };
  };
  const version = result?.protocolVersion;
  return typeof version === "string" && LEGACY_VERSIONS.includes(version)
    ? version
    : null;
}
