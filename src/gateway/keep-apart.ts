// Which requests wait for an answer, and that no two of them go out to one server under the same id or progress token.
import type { Exchange, Waiting } from "../enforce/exchange.ts";
import type { CallEntry, GateSession, Way } from "./gate.ts";
import { makeSwap, type Swap } from "./swap-ids.ts";

/** Under which id a request has to go out, or null when its own is free. */
export function swapFor(
  { gate, served }: Way,
  exchange: Exchange,
): Swap | null {
  const { id, progressToken } = exchange;
  const isTaken = (call: CallEntry): boolean =>
    call.served === served &&
    call.exchange !== null &&
    (call.exchange.id === id ||
      (progressToken !== null &&
        call.exchange.progressToken === progressToken));
  return gate.calls.some(isTaken) || gate.streams.some(isTaken)
    ? makeSwap(exchange, gate.unique())
    : null;
}

/** Keeps a request of a session whose stream broke off; the oldest gives way. */
export function keepBroken(
  session: GateSession,
  exchange: Exchange,
  swap: Swap | null,
  most: number,
): void {
  const { broken } = session;
  if (broken.size >= most) {
    const oldest = broken.keys().next().value;
    if (oldest !== undefined) forgetBroken(session, oldest);
  }
  broken.set(exchange.id, exchange);
  if (swap !== null) session.swaps.set(exchange.id, swap);
}

export function forgetBroken(session: GateSession, id: string): void {
  session.broken.delete(id);
  session.swaps.delete(id);
}

const NOTHING: Waiting = { has: () => false };

/**
 * What a client waits for: in its session, or, for a program without one, in no session. Two such programs may use one
 * key and the same ids, so that only a notification (a cancellation) is held against what all of them wait for.
 */
export function outstandingFor(
  way: Way,
  session: GateSession | null,
  kind: string,
): Waiting {
  if (session === null && kind !== "notification") return NOTHING;
  return {
    has(id) {
      const isIt = (call: CallEntry): boolean =>
        call.exchange?.id === id && isFrom(way, session, call);
      return (
        session?.broken.has(id) === true ||
        way.gate.calls.some(isIt) ||
        way.gate.streams.some(isIt)
      );
    },
  };
}

/** Under which id the request went out that a cancellation names, when not under its own. */
export function swapOf(
  way: Way,
  session: GateSession | null,
  id: string,
): Swap | null {
  let found = session?.swaps.get(id) ?? null;
  const look = (call: CallEntry): void => {
    if (call.exchange?.id === id && isFrom(way, session, call))
      found = call.swap;
  };
  way.gate.calls.forEach(look);
  way.gate.streams.forEach(look);
  return found;
}

/** Whether a call is one of a client at a server, in one session or in none. */
const isFrom = (
  { client, served }: Way,
  session: GateSession | null,
  call: CallEntry,
): boolean =>
  call.client === client && call.served === served && call.session === session;
