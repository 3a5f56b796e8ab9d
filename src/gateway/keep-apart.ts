// Which requests wait for an answer, and that no two of them go out to one server under the same id or progress token.
import type { Exchange, Outstanding } from "../enforce/exchange.ts";
import type {
  CallEntry,
  GateSession,
  Served,
  StreamEntry,
  Way,
} from "./gate.ts";
import { makeSwap, type Swap } from "./swap-ids.ts";

/** Under which id a request has to go out, or null when its own is free. */
export function swapFor(
  { gate, served }: Way,
  exchange: Exchange,
): Swap | null {
  let taken = false;
  const look = (open: StreamEntry): void => {
    if (open.served !== served || open.exchange === null) return;
    const { id, progressToken } = open.exchange;
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

/** A request of a session may stay open when its stream breaks off; the oldest gives way. */
export function remember(
  session: GateSession,
  exchange: Exchange,
  swap: Swap | null,
  most: number,
): void {
  const { outstanding } = session;
  if (outstanding.size >= most) {
    const oldest = outstanding.keys().next().value;
    if (oldest !== undefined) forget(session, oldest);
  }
  outstanding.set(exchange.id, exchange);
  if (swap !== null) session.swaps.set(exchange.id, swap);
}

export function forget(session: GateSession, id: string): void {
  session.outstanding.delete(id);
  if (session.swaps.size > 0) session.swaps.delete(id);
}

/**
 * What a client waits for. Without a session two programs may use one key and the same ids, so that only a notification
 * (a cancellation) is held against what all of them wait for.
 */
export function outstandingFor(
  way: Way,
  session: GateSession | null,
  kind: string,
): Outstanding {
  if (session !== null) return session.outstanding;
  if (kind !== "notification") return NOTHING;
  const waiting: Outstanding = new Map();
  eachLoose(way, ({ exchange }) => {
    if (exchange !== null) waiting.set(exchange.id, exchange);
  });
  return waiting;
}

const NOTHING: Outstanding = new Map();

/** Under which id the request went out that a cancellation names, when not under its own. */
export function swapOf(
  way: Way,
  session: GateSession | null,
  id: string,
): Swap | null {
  if (session !== null) return session.swaps.get(id) ?? null;
  let found: Swap | null = null;
  eachLoose(way, ({ exchange, swap }) => {
    if (exchange?.id === id) found = swap;
  });
  return found;
}

/** Calls of one client to one server that belong to no session. */
function eachLoose(
  { gate, client, served }: Way,
  look: (call: CallEntry) => void,
): void {
  gate.calls.forEach((call) => {
    if (call.client === client && isOf(call, served)) look(call);
  });
}

const isOf = (call: CallEntry, served: Served): boolean =>
  call.served === served && call.session === null;
