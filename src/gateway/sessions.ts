// Sessions of the older era, as the gateway's own: a client gets an id that was made here and belongs to it and to one
// server; the server's id stays behind it. Bounded in number; an idle one costs a few hundred bytes.
import { randomUUID } from "node:crypto";
import type { Outstanding } from "../enforce/exchange.ts";
import type { Bounds } from "./bounds.ts";
import type { Client } from "./routes.ts";
import type { Swap } from "./swap-ids.ts";

/** What is open for a client and can be ended from here. */
export interface Open {
  end(): void;
}

export interface Session<Server> {
  readonly id: string;
  readonly client: Client;
  readonly server: Server;
  /** The id that the server gave. */
  readonly upstreamId: string;
  /** Header lines of its protocol version, for answers to the server's own requests. */
  versionLines: readonly string[];
  /** Requests whose stream broke off before the answer, which may come on a stream that resumes it. */
  readonly broken: Outstanding;
  /** Of these, what went out under another id. */
  readonly swaps: Map<string, Swap>;
  /** The stream of a GET that resumes nothing; there is one at most. */
  plain: Open | null;
  readonly resumed: Set<Open>;
  lastUsed: number;
}

export interface Sessions<Server> {
  /** Null for an id that is unknown, or another client's, or another server's. */
  find(id: string, client: Client, server: Server): Session<Server> | null;
  /** Whether one more may be opened; makes room by taking out an idle one, which is handed to `evicted`. */
  hasRoom(client: Client): boolean;
  open(
    given: Pick<
      Session<Server>,
      "client" | "server" | "upstreamId" | "versionLines"
    >,
  ): Session<Server>;
  /** Takes it out and ends its streams. */
  end(session: Session<Server>): void;
  all(): Iterable<Session<Server>>;
}

export function createSessions<Server>(
  bounds: Pick<Bounds, "sessions" | "sessionsOfClient" | "sessionIdle">,
  now: () => number,
  evicted: (session: Session<Server>) => void,
): Sessions<Server> {
  const sessions = new Map<string, Session<Server>>();
  const counts = new Map<Client, number>();
  const count = (client: Client, by: number): void => {
    const left = (counts.get(client) ?? 0) + by;
    if (left === 0) counts.delete(client);
    else counts.set(client, left);
  };
  const end = (session: Session<Server>): void => {
    if (!sessions.delete(session.id)) return;
    count(session.client, -1);
    session.plain?.end();
    for (const open of session.resumed) open.end();
  };
  const isIdle = (session: Session<Server>): boolean =>
    session.plain === null &&
    session.resumed.size === 0 &&
    now() - session.lastUsed > bounds.sessionIdle;

  return {
    find(id, client, server) {
      const session = sessions.get(id);
      if (session?.client !== client || session.server !== server) return null;
      session.lastUsed = now();
      return session;
    },
    hasRoom(client) {
      const full = () =>
        sessions.size >= bounds.sessions ||
        (counts.get(client) ?? 0) >= bounds.sessionsOfClient;
      if (!full()) return true;
      for (const session of sessions.values()) {
        if (!isIdle(session)) continue;
        end(session);
        evicted(session);
        if (!full()) return true;
      }
      return false;
    },
    open(given) {
      const session: Session<Server> = {
        ...given,
        id: randomUUID(),
        broken: new Map(),
        swaps: new Map(),
        plain: null,
        resumed: new Set(),
        lastUsed: now(),
      };
      sessions.set(session.id, session);
      count(session.client, 1);
      return session;
    },
    end,
    all: () => sessions.values(),
  };
}
