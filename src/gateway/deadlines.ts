// Ends calls whose time is over. One clock for all of them, since a timer for each call costs more than judging it; so a
// call may take up to a step longer than its limit.
import { performance } from "node:perf_hooks";
import type { CallEntry } from "./gate.ts";
import type { UnderWay } from "./under-way.ts";

export interface Deadlines {
  /** The moment at which a call that starts now has to be over, of the clock that is looked at here. */
  after(milliseconds: number): number;
  stop(): void;
}

/** Milliseconds between two looks. */
const STEP = 50;
/** Looks without a call after which there is no more need to look. */
const PATIENCE = 20;

export function watchDeadlines(calls: UnderWay<CallEntry>): Deadlines {
  let timer: NodeJS.Timeout | null = null;
  let idle = 0;
  const stop = (): void => {
    if (timer !== null) clearInterval(timer);
    timer = null;
  };
  const look = (): void => {
    const now = performance.now();
    calls.forEach((call) => {
      if (now >= call.until) call.late();
    });
    idle = calls.isEmpty() ? idle + 1 : 0;
    if (idle > PATIENCE) stop();
  };
  return {
    after(milliseconds) {
      timer ??= setInterval(look, STEP).unref();
      return performance.now() + milliseconds;
    },
    stop,
  };
}
