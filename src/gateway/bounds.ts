// How much and how long, for what no key of a file says. Each bound is there so that one client or one server cannot
// take the memory, the sockets or the time of the others.
import type { UpstreamBounds } from "../upstream/open-upstream.ts";

/** `headBytes` also bounds a request's head: Node's own parser holds it. */
export interface Bounds extends UpstreamBounds {
  /** Header lines of a request. */
  readonly headLines: number;
  /** Connections of all clients. */
  readonly connections: number;
  /** Milliseconds until the head of a request is complete, and until its body is. */
  readonly headTime: number;
  readonly requestTime: number;
  /** Milliseconds that an unused connection of a client is kept. */
  readonly keepAlive: number;
  /** Milliseconds that a client may take no byte of an answer that is ready for it. */
  readonly writeStall: number;
  /** Requests that wait for one server's answer at once. */
  readonly calls: number;
  /** Streams without an end (GET, `subscriptions/listen`) that are open to one server at once. */
  readonly streams: number;
  /** Sessions of all clients, and of one. */
  readonly sessions: number;
  readonly sessionsOfClient: number;
  /** Milliseconds after which an unused session makes room for a new one. */
  readonly sessionIdle: number;
  /** Requests of one session whose streams broke off before the answer, and may be resumed. */
  readonly broken: number;
  /** Resumed streams of one session at once. */
  readonly resumed: number;
  /** Answers to a server's own requests that are under way to one server. */
  readonly replies: number;
  /** Milliseconds that running calls get when the gateway is closed. */
  readonly closing: number;
  /** Bytes of a server's answer that is an error: it is passed on or dropped, but never large. */
  readonly errorBytes: number;
}

export const BOUNDS: Bounds = {
  headBytes: 16 * 1024,
  headLines: 100,
  connections: 8_192,
  headTime: 10_000,
  requestTime: 10_000,
  keepAlive: 60_000,
  writeStall: 60_000,
  connectTime: 10_000,
  calls: 512,
  streams: 2_560,
  sessions: 4_096,
  sessionsOfClient: 2_560,
  sessionIdle: 30 * 60_000,
  broken: 512,
  resumed: 8,
  replies: 32,
  closing: 3_000,
  errorBytes: 64 * 1024,
};
