// Server-sent events as text: read from bytes in whatever pieces they come, and printed in one canonical form. Line ends
// are LF, CRLF or a lone CR; an event ends at a blank line; what has no blank line at the end is no event.

export interface ServerEvent {
  /** Empty for the default. */
  readonly name: string;
  /** The `data` lines joined; null when there was none. */
  readonly data: string | null;
  /** Null when the event names no id, or one that cannot be one. */
  readonly id: string | null;
  /** Milliseconds, or null. */
  readonly retry: number | null;
}

export interface EventReader {
  /** Reads on. What is wrong ends the stream: nothing may be read after it. */
  read(chunk: Uint8Array): "ok" | "too-large" | "not-utf8";
}

const LF = 10;
const CR = 13;

/** `mostChars` bounds one event, its comments and unknown fields included. */
export function eventReader(
  mostChars: number,
  onEvent: (event: ServerEvent) => void,
): EventReader {
  // Drops a byte order mark at the start, and keeps a character that is split over two chunks.
  const decoder = new TextDecoder("utf-8", { fatal: true });
  /** Pieces of a line that has not ended. */
  let pieces: string[] = [];
  let size = 0;
  let skipLf = false;
  let name = "";
  let data: string[] | null = null;
  let id: string | null = null;
  let retry: number | null = null;

  const endOfEvent = (): void => {
    size = 0;
    const event: ServerEvent = {
      name,
      data: data?.join("\n") ?? null,
      id,
      retry,
    };
    name = "";
    data = id = retry = null;
    if (event.data !== null || event.id !== null || event.retry !== null)
      onEvent(event);
  };
  const line = (text: string): void => {
    if (text === "") return endOfEvent();
    const colon = text.indexOf(":");
    if (colon === 0) return;
    const field = colon < 0 ? text : text.slice(0, colon);
    const from = colon + (text.charAt(colon + 1) === " " ? 2 : 1);
    const value = colon < 0 ? "" : text.slice(from);
    if (field === "data") (data ??= []).push(value);
    else if (field === "event") name = value;
    else if (field === "id" && !value.includes("\0")) id = value;
    else if (field === "retry" && /^\d{1,9}$/.test(value))
      retry = Number(value);
  };

  return {
    read(chunk) {
      let text: string;
      try {
        text = decoder.decode(chunk, { stream: true });
      } catch {
        return "not-utf8";
      }
      let at = 0;
      if (skipLf && text.length > 0) {
        skipLf = false;
        if (text.charCodeAt(0) === LF) at = 1;
      }
      while (at < text.length) {
        let end = at;
        while (end < text.length) {
          const c = text.charCodeAt(end);
          if (c === LF || c === CR) break;
          end++;
        }
        size += end - at + 1;
        if (size > mostChars) return "too-large";
        if (end === text.length) {
          pieces.push(text.slice(at));
          break;
        }
        const tail = text.slice(at, end);
        if (pieces.length === 0) line(tail);
        else {
          pieces.push(tail);
          const whole = pieces.join("");
          pieces = [];
          line(whole);
        }
        at = end + 1;
        if (text.charCodeAt(end) !== CR) continue;
        // The line has ended; whether a LF belongs to its end may be seen only later.
        if (at === text.length) skipLf = true;
        else if (text.charCodeAt(at) === LF) at++;
      }
      return "ok";
    },
  };
}

/** One event for a client. `data` is JSON text (line ends in it are mere space) or empty. */
export function printEvent(event: {
  readonly data: string;
  readonly id: string | null;
  readonly retry: number | null;
}): string {
  const data = /[\r\n]/.test(event.data)
    ? event.data.replace(/[\r\n]+/g, " ")
    : event.data;
  return `event: message\n${event.id === null ? "" : `id: ${event.id}\n`}${
    event.retry === null ? "" : `retry: ${event.retry}\n`
  }data: ${data}\n\n`;
}
