// What the parts of one running gateway share: its servers, its sessions, the log, and whatever is under way.
import type { CallLimits } from "../enforce/door.ts";
import type { Exchange } from "../enforce/exchange.ts";
import type { CallRecord } from "../enforce/record.ts";
import type { Road } from "../enforce/road.ts";
import type { Bounds } from "./bounds.ts";
import type { Deadlines } from "./deadlines.ts";
import type { EventIds } from "./event-ids.ts";
import type { Client } from "./routes.ts";
import type { Session, Sessions } from "./sessions.ts";
import type { Swap } from "./swap-ids.ts";
import type { Entry, UnderWay } from "./under-way.ts";
import type { Upstream } from "../upstream/open-upstream.ts";

/** One server as it is served. */
export interface Served {
  readonly name: string;
  /** What the log shows of the way of a POST: method, host, port and path. */
  readonly post: string;
  readonly road: Road;
  readonly upstream: Upstream;
  /** False: its token is not stored, and nothing is sent to it. */
  readonly ready: boolean;
  limits: CallLimits;
  /** How many are under way. */
  calls: number;
  streams: number;
  replies: number;
}

export type GateSession = Session<Served>;

/** What is under way for a client; `exchange` is null for a notification and for a GET. */
export interface CallEntry extends Entry {
  readonly client: Client;
  readonly served: Served;
  readonly session: GateSession | null;
  readonly exchange: Exchange | null;
  /** Under which id it went out, when not under its own. */
  readonly swap: Swap | null;
  /** When it has to be over; see `deadlines.ts`. */
  readonly until: number;
  /** It was not. */
  late(): void;
}

export interface Gate {
  readonly bounds: Bounds;
  readonly sessions: Sessions<Served>;
  readonly ids: EventIds;
  /** Writes a line at once; false when that failed. */
  readonly log: (
    record: CallRecord,
    client: Client,
    startedAt: number,
  ) => boolean;
  /** Writes it with others, and then goes on; see `RecordLog`. */
  readonly logThen: (
    record: CallRecord,
    client: Client,
    startedAt: number,
    then: (written: boolean) => void,
  ) => void;
  /** Calls that wait for an answer. */
  readonly calls: UnderWay<CallEntry>;
  /** Streams without an end. */
  readonly streams: UnderWay<CallEntry>;
  readonly deadlines: Deadlines;
  /** A text that no other request goes out under. */
  readonly unique: () => string;
}

/** A message that was let through and has not gone out. It may be over meanwhile: then neither does anything. */
export interface Ready {
  go(): void;
  /** Answers it with `refuse` instead. */
  drop(refuse: () => void): void;
}

/** Where a message of a client goes. */
export interface Way {
  readonly gate: Gate;
  readonly client: Client;
  readonly served: Served;
}
