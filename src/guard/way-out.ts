// What goes to the agent: whole messages, a line each, one write for all that came together. It is the only thing that
// ever writes there.
import type { Writable } from "node:stream";
import { within } from "./within.ts";

interface WayOut {
  /** Adds a message. */
  say(text: string): void;
  /** Sends what was added. */
  flush(): void;
  /** The agent takes no more for now. */
  isFull(): boolean;
  /** Waits until the agent has everything, but not longer than that. */
  end(milliseconds: number): Promise<void>;
}

/** Bytes that wait for the agent before nothing more is read for it. */
const FULL = 1024 * 1024;

export function wayOut(
  output: Writable,
  told: { readonly ready: () => void; readonly gone: () => void },
): WayOut {
  let text = "";
  let gone = false;
  const lost = (): void => {
    if (gone) return;
    gone = true;
    told.gone();
  };
  output.on("error", lost);
  output.on("close", lost);
  output.on("drain", told.ready);
  const flush = (): void => {
    if (text === "") return;
    const all = text;
    text = "";
    if (!gone && output.writable) output.write(all);
  };
  return {
    say(message) {
      text += oneLine(message);
      text += "\n";
    },
    flush,
    isFull: () => output.writableLength >= FULL,
    async end(milliseconds) {
      flush();
      if (!gone && output.writableLength > 0)
        await within(
          new Promise<void>((resolve) => output.write("", () => resolve())),
          milliseconds,
        );
      gone = true;
    },
  };
}

/** Characters that all or some readers take for the end of a line. */
const LINE_ENDS = /[\n\r\u0085\u2028\u2029]/;

/**
 * The same message on one line. A remote server may spread JSON over several, and each would be a message that nobody has
 * judged. The first two stand only between the parts of JSON, the others only inside strings.
 */
export const oneLine = (text: string): string =>
  LINE_ENDS.test(text)
    ? text
        .replace(/[\n\r]/g, " ")
        .replace(
          /[\u0085\u2028\u2029]/g,
          (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`,
        )
    : text;
