// What a server says beside the protocol, and what it does without being asked: into the log, without secrets, without
// characters that steer a terminal, and never so much that the log is full of it.
import { performance } from "node:perf_hooks";
import { bareRecord, type CallRecord } from "../enforce/record.ts";
import type { Road } from "../enforce/road.ts";
import { createLimiter } from "./limiter.ts";

interface ServerWords {
  /** A line of noise on its output, or a line on standard error. */
  noise(rule: "noise" | "stderr", bytes: Buffer): void;
  /** Writes a record that no request caused. False when it could not be written, or there were too many. */
  log(record: CallRecord): boolean;
  /** The last lines on standard error. */
  last(): readonly string[];
  /** Says how much was left out. */
  close(): void;
}

/** Lines at once, and lines a second from then on. */
const RATE = { burst: 50, perSecond: 2 };
/** Characters of a line that are shown. */
const SHOWN = 500;
const LAST = 5;

export function serverWords(
  road: Road,
  write: (record: CallRecord) => boolean,
): ServerWords {
  const now = () => performance.now();
  const limiters = {
    noise: createLimiter(RATE.burst, RATE.perSecond, now),
    stderr: createLimiter(RATE.burst, RATE.perSecond, now),
    other: createLimiter(RATE.burst, RATE.perSecond, now),
  };
  let last: Buffer[] = [];
  const recordOf = (rule: string, reason: string, bytes = 0): CallRecord =>
    bareRecord({ server: road.server, effect: "deny", reason, rule, bytes });
  const sayMissed = (kind: keyof typeof limiters): void => {
    const count = limiters[kind].missed();
    if (count > 0)
      write(
        recordOf(
          kind === "other" ? "unrequested" : kind,
          `${count} more of these were left out`,
        ),
      );
  };
  const shown = (bytes: Buffer): string => {
    const text = road.redactor.text(bytes.toString("utf8").trimEnd());
    const cut =
      text.length > SHOWN ? `${text.slice(0, SHOWN).toWellFormed()}…` : text;
    return visible(cut);
  };

  return {
    noise(rule, bytes) {
      if (rule === "stderr") {
        last.push(bytes);
        if (last.length > 2 * LAST) last = last.slice(-LAST);
      }
      if (!limiters[rule].take()) return;
      sayMissed(rule);
      write(
        recordOf(
          rule,
          `${rule === "noise" ? "no message" : "the server says"}: ${shown(bytes)}`,
          bytes.length,
        ),
      );
    },
    log(record) {
      if (!limiters.other.take()) return false;
      sayMissed("other");
      return write(record);
    },
    last: () =>
      last
        .slice(-LAST)
        .map(shown)
        .filter((line) => line !== ""),
    close() {
      for (const kind of ["noise", "stderr", "other"] as const) sayMissed(kind);
    },
  };
}

const visible = (text: string): string =>
  text.replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu,
    (c) => `\\u{${(c.codePointAt(0) ?? 0).toString(16)}}`,
  );
