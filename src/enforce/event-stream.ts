// Server-sent events: bytes to events as they arrive, and events to text. Lines may end with LF, CRLF or CR, also split
// over chunks; a leading byte order mark is dropped; an event that is not ended is no event. Bounded, in linear time.
import { decodeUtf8 } from "./message.ts";

export interface StreamEvent {
  /** The lines of `data`, joined; null when the event has none. */
  readonly data: string | null;
  /** The name; null for the ordinary one, "message". */
  readonly event: string | null;
  readonly id: string | null;
  /** Milliseconds within the bounds that a client can live with. */
  readonly retry: number | null;
}

interface EventParser {
  /** The events that these bytes complete. After a problem there are no more. */
  push(chunk: Uint8Array): readonly StreamEvent[];
  /** Why the stream cannot go on, or null. */
  problem(): "too-large" | "not-utf8" | null;
}

const LF = 0x0a;
const CR = 0x0d;
const RETRY = { least: 100, most: 60_000 };

/** `maxBytes` bounds one event: the key `limits.response`. */
export function createEventParser(maxBytes: number): EventParser {
  let problem: ReturnType<EventParser["problem"]> = null;
  /** Parts of the line that is not ended yet. */
  let parts: Uint8Array[] = [];
  let lineLength = 0;
  /** Of the data that is kept; comments may go on for ever. */
  let eventLength = 0;
  let started = false;
  let afterCr = false;
  let data: string[] | null = null;
  let event: string | null = null;
  let id: string | null = null;
  let retry: number | null = null;

  const takeLine = (events: StreamEvent[]): void => {
    const bytes =
      parts.length === 1 && parts[0] !== undefined
        ? parts[0]
        : concat(parts, lineLength);
    parts = [];
    lineLength = 0;
    let line = decodeUtf8(bytes);
    if (line === null) {
      problem = "not-utf8";
      return;
    }
    if (!started && line.startsWith("\ufeff")) line = line.slice(1);
    started = true;
    if (line !== "") {
      takeField(line);
      return;
    }
    if (data !== null || id !== null || retry !== null)
      events.push({ data: data?.join("\n") ?? null, event, id, retry });
    data = event = id = retry = null;
    eventLength = 0;
  };
  const takeField = (line: string): void => {
    const colon = line.indexOf(":");
    const name = colon < 0 ? line : line.slice(0, colon);
    let value = colon < 0 ? "" : line.slice(colon + 1);
    if (value.startsWith(" ")) value = value.slice(1);
    if (name === "data") {
      // A line costs something even when nothing is in it.
      eventLength += value.length + 1;
      (data ??= []).push(value);
    } else if (name === "event")
      event = value === "" || value === "message" ? null : value;
    else if (name === "id") id = value.includes("\0") ? id : value;
    else if (name === "retry" && /^\d{1,15}$/.test(value))
      retry = Math.min(Math.max(Number(value), RETRY.least), RETRY.most);
  };

  return {
    problem: () => problem,
    push(chunk) {
      const events: StreamEvent[] = [];
      let from = 0;
      while (problem === null && from < chunk.length) {
        if (afterCr && chunk[from] === LF) {
          afterCr = false;
          from++;
          continue;
        }
        afterCr = false;
        const end = lineEnd(chunk, from);
        const stop = end < 0 ? chunk.length : end;
        if (eventLength + lineLength + stop - from > maxBytes) {
          problem = "too-large";
          break;
        }
        if (stop > from) {
          const part = chunk.subarray(from, stop);
          // What is kept is a copy: the chunk belongs to the socket. (`slice` of a Node buffer would be none.)
          parts.push(end < 0 ? new Uint8Array(part) : part);
          lineLength += stop - from;
        }
        if (end < 0) break;
        afterCr = chunk[end] === CR;
        from = end + 1;
        takeLine(events);
      }
      return events;
    },
  };
}

/** The offset of the next line end, or -1. */
function lineEnd(chunk: Uint8Array, from: number): number {
  const lf = chunk.indexOf(LF, from);
  const cr = chunk.subarray(from, lf < 0 ? undefined : lf).indexOf(CR);
  return cr < 0 ? lf : from + cr;
}

function concat(parts: readonly Uint8Array[], length: number): Uint8Array {
  const out = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

/** An event as text, in one canonical form whatever it came in. */
export function formatEvent(event: {
  readonly data: string | null;
  readonly id: string | null;
  readonly retry: number | null;
}): string {
  let out = "";
  if (event.id !== null) out += `id: ${event.id}\n`;
  if (event.retry !== null) out += `retry: ${event.retry}\n`;
  if (event.data !== null)
    out += `event: message\n${event.data
      .split("\n")
      .map((line) => `data: ${line}\n`)
      .join("")}`;
  return `${out}\n`;
}
