// The requests that the agent waits for, and until when. One clock for all of them: a call may take a step longer than
// its limit.
import type { Exchange, Waiting } from "../enforce/exchange.ts";

interface WaitingCalls {
  /** By id, as `src/enforce` reads them. */
  readonly open: Map<string, Exchange>;
  /** With those that were given up: their late answers must not be taken for those of another request. */
  readonly used: Waiting;
  /** `milliseconds` is Infinity for one that has no end. */
  add(exchange: Exchange, milliseconds: number): void;
  /** It has its answer. */
  settle(id: string): void;
  /** Its answer is not wanted any more. */
  retire(id: string): void;
  stop(): void;
}

/** Milliseconds between two looks. */
const STEP = 50;
/** Looks without a call after which there is no more need to look. */
const PATIENCE = 20;
/** Ids that are remembered after they were given up. */
const RETIRED = 1_024;

export function waitingCalls(
  now: () => number,
  late: (exchange: Exchange) => void,
): WaitingCalls {
  const open = new Map<string, Exchange>();
  const until = new Map<string, number>();
  const retired = new Set<string>();
  let timer: NodeJS.Timeout | null = null;
  let idle = 0;

  const settle = (id: string): void => {
    open.delete(id);
    until.delete(id);
  };
  const stop = (): void => {
    if (timer !== null) clearInterval(timer);
    timer = null;
  };
  const retire = (id: string): void => {
    settle(id);
    retired.add(id);
    const [oldest] = retired;
    if (retired.size > RETIRED && oldest !== undefined) retired.delete(oldest);
  };
  const look = (): void => {
    const moment = now();
    for (const [id, end] of until) {
      const exchange = open.get(id);
      if (moment < end || exchange === undefined) continue;
      retire(id);
      late(exchange);
    }
    idle = open.size === 0 ? idle + 1 : 0;
    if (idle > PATIENCE) stop();
  };
  return {
    open,
    used: { has: (id) => open.has(id) || retired.has(id) },
    add(exchange, milliseconds) {
      open.set(exchange.id, exchange);
      until.set(exchange.id, now() + milliseconds);
      timer ??= setInterval(look, STEP).unref();
    },
    settle,
    retire,
    stop,
  };
}
