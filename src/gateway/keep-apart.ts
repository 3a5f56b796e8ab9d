// Which requests wait for an answer, and that no two of them go out to one server under the same id or progress token.
import type { Exchange, Waiting } from "../enforce/exchange.ts";
import type { CallEntry, GateSession, Way } from "./gate.ts";
import { makeSwap, type Swap } from "./swap-ids.ts";

/** Under which id a request has to go out, or null when its own is free. */
export function swapFor(
  { gate, served }: Way,
  exchange: Exchange,
): Swap | null {
  let taken = false;
  const look = (call: CallEntry): void => {
    if (call.served !== served || call.exchange === null) return;
    const { id, progressToken } = call.exchange;
    if (
      id === exchange.id ||
      (progressToken !== null && progressToken === exchange.progressToken)
    )
      taken = true;
  };
  gate.calls.forEach(look);
  gate.streams.forEach(look);
  return taken ? makeSwap(exchange, gate.unique()) : null;
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
      let found = session?.broken.has(id) === true;
      eachCall(way, session, ({ exchange }) => {
        if (exchange?.id === id) found = true;
      });
      return found;
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
  eachCall(way, session, ({ exchange, swap }) => {
    if (exchange?.id === id) found = swap;
  });
  return found;
}

/** What is under way for one client at one server, in one session or in none. */
function eachCall(
  { gate, client, served }: Way,
  session: GateSession | null,
  look: (call: CallEntry) => void,
): void {
  const visit = (call: CallEntry): void => {
    if (
      call.client === client &&
      call.served === served &&
      call.session === session
    )
      look(call);
  };
  gate.calls.forEach(visit);
  gate.streams.forEach(visit);
}
