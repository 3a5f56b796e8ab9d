// The requests that are under way to a remote server: counted, stopped and let go on together, and broken off at the end.
import { createEventParser } from "../enforce/event-stream.ts";
import type { Outstanding } from "../enforce/exchange.ts";
import type { HeaderValues } from "../enforce/http-head.ts";
import type { Flight, Outgoing, Upstream } from "../upstream/open-upstream.ts";
import type { Hearer } from "./behind.ts";

/** Gets an answer piece by piece. After `failed` or `end` nothing comes any more. */
export interface AnswerSink {
  head(status: number, headers: HeaderValues): void;
  data(chunk: Buffer): void;
  end(): void;
  failed(words: string): void;
}

export const NOTHING: AnswerSink = {
  head() {},
  data() {},
  end() {},
  failed() {},
};

interface Flights {
  send(request: Outgoing, sink: AnswerSink): Flight;
  /** Bytes that were sent and have no complete answer. */
  bytes(): number;
  pause(): void;
  resume(): void;
  abort(): void;
}

export function createFlights(upstream: Upstream, hearer: Hearer): Flights {
  const open = new Set<Flight>();
  let bytes = 0;
  let paused = false;
  return {
    bytes: () => bytes,
    send(request, sink) {
      const size = request.body?.length ?? 0;
      let over = false;
      bytes += size;
      const done = (): void => {
        if (over) return;
        over = true;
        bytes -= size;
        open.delete(flight);
        hearer.ready();
      };
      const sent = upstream.send(request, {
        head(status, headers) {
          if (paused) sent.pause();
          sink.head(status, headers);
        },
        data(chunk) {
          sink.data(chunk);
          hearer.pass();
        },
        end() {
          done();
          sink.end();
          hearer.pass();
        },
        failed(words) {
          done();
          sink.failed(words);
          hearer.pass();
        },
      });
      const flight: Flight = {
        ...sent,
        abort() {
          sent.abort();
          done();
        },
      };
      open.add(flight);
      return flight;
    },
    pause() {
      paused = true;
      for (const flight of open) flight.pause();
    },
    resume() {
      paused = false;
      for (const flight of open) flight.resume();
    },
    abort() {
      for (const flight of open) flight.abort();
    },
  };
}

/** Where a stream that broke off can be taken up again: behind which event, and after how many milliseconds. */
export interface StreamPlace {
  last: string | null;
  retry: number;
}

export const RETRY = { first: 1_000, most: 60_000 };

/** Hands the messages among the events of a stream to the hearer. The function takes the stream's bytes. */
export function hearEvents(options: {
  readonly hearer: Hearer;
  readonly mostBytes: number;
  /** The answers that may arrive on it. */
  readonly outstanding: Outstanding;
  readonly place: StreamPlace;
  /** Nothing of it can be read any more. */
  readonly broken: (words: string) => void;
}): (chunk: Buffer) => void {
  const { hearer, outstanding, place } = options;
  const parser = createEventParser(options.mostBytes);
  return (chunk) => {
    for (const { id, retry, event, data } of parser.push(chunk)) {
      if (id !== null && /^[\x20-\x7e]{1,1024}$/.test(id)) place.last = id;
      if (retry !== null) place.retry = retry;
      // Under another name nobody has to take it for a message.
      if (event === null && data !== null && data !== "")
        hearer.message(data, { outstanding, place: "stream" });
    }
    const problem = parser.problem();
    if (problem !== null)
      options.broken(
        problem === "too-large"
          ? "one of its events is larger than `limits.response`"
          : "its stream is not UTF-8",
      );
  };
}
