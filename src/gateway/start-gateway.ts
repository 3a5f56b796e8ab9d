// A running gateway: one listener on this machine, each request checked, routed by its key, and handled by its method.
// All state lies in what this function makes; closing it leaves nothing behind.
import { randomBytes } from "node:crypto";
import {
  createServer,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { performance } from "node:perf_hooks";
import type { CallLimits, RecordLog, RecordMore } from "../enforce/door.ts";
import { headerValues } from "../enforce/http-head.ts";
import type { Facts } from "../enforce/facts.ts";
import type { PinCheck } from "../enforce/pins.ts";
import { createRoad, isShut, putInForce } from "../enforce/road.ts";
import type { Policy } from "../policy/decide.ts";
import type { HttpTransport } from "../model/model.ts";
import { BOUNDS, type Bounds } from "./bounds.ts";
import { headRefusal, ownNames } from "./check-head.ts";
import type { Resolve } from "../upstream/checked-lookup.ts";
import type { Credentials } from "../upstream/credentials.ts";
import { watchDeadlines } from "./deadlines.ts";
import { endSession } from "./end-session.ts";
import { eventIds } from "./event-ids.ts";
import type { CallEntry, Gate, Served } from "./gate.ts";
import { openStream } from "./open-stream.ts";
import { handlePost } from "./post.ts";
import { endUpstream } from "./reply-upstream.ts";
import { newKey, pathOf, routes, type Client } from "./routes.ts";
import { orRefuse, sendError } from "./send.ts";
import { createSessions } from "./sessions.ts";
import { underWay } from "./under-way.ts";
import { openUpstream } from "../upstream/open-upstream.ts";

/** A remote server and what holds for it. */
export interface GatewayServer {
  readonly name: string;
  readonly transport: HttpTransport;
  readonly policy: Policy;
  readonly limits: CallLimits;
  /** What was pinned of it. */
  readonly pins: PinCheck;
  /** What its argument rules ask of the disk and the clock. */
  readonly facts: Facts;
  /** Null: its token is not stored; every call is answered with that, and nothing is sent. */
  readonly credentials: Credentials | null;
}

export interface GatewayOptions {
  readonly servers: readonly GatewayServer[];
  /** Who gets addresses of their own: agents by name, and null for anybody else. */
  readonly agents: readonly (string | null)[];
  readonly log: RecordLog;
  /** A loopback address and a port; 0 takes a free one. */
  readonly listen: { readonly host: string; readonly port: number };
  readonly bounds?: Partial<Bounds>;
  /** How names are resolved; Node's own way when it is absent. */
  readonly resolve?: Resolve;
}

export interface Gateway {
  readonly port: number;
  /** Where an agent finds a server; undefined for a name that is not served. */
  url(agent: string | null, server: string): string | undefined;
  /** Puts other rules in force. Whether they are stricter is the caller's to see to. */
  enforce(
    rules: ReadonlyMap<
      string,
      Pick<GatewayServer, "policy" | "limits" | "pins">
    >,
  ): void;
  /** Running calls get a moment to finish. Nothing is left open. */
  close(): Promise<void>;
}

/** Rejects when the address cannot be listened on. */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const bounds: Bounds = { ...BOUNDS, ...options.bounds };
  const clients: readonly Client[] = options.agents.map((agent) => ({
    agent,
    key: newKey(),
  }));
  const served = new Map(
    options.servers.map((server) => [
      server.name,
      serve(server, bounds, options.resolve),
    ]),
  );
  const calls = underWay<CallEntry>();
  const deadlines = watchDeadlines(calls);
  const gate: Gate = {
    bounds,
    sessions: createSessions(
      bounds,
      () => performance.now(),
      (session) => endUpstream(session, () => {}),
    ),
    ids: eventIds(randomBytes(32)),
    log: (record, client, startedAt) =>
      options.log(record, moreOf(client, startedAt)) === true,
    logThen(record, client, startedAt, then) {
      const written = options.log(record, moreOf(client, startedAt), then);
      if (written !== null) then(written);
    },
    calls,
    deadlines,
    streams: underWay(),
    unique: uniqueTexts(),
  };
  const find = routes(clients, served);
  let own = ownNames(0);
  let closing = false;

  const answer = (req: IncomingMessage, res: ServerResponse): void => {
    const startedAt = performance.now();
    const headers = headerValues(req.rawHeaders);
    const refusal = headRefusal(req, headers, own, bounds.headLines);
    if (refusal !== null)
      return sendError(res, refusal.status, refusal.error, {
        headers: refusal.status === 405 ? ["allow", "POST"] : [],
        close: true,
      });
    if (closing) return sendError(res, 503, "closing", { close: true });
    const found = find(req.url ?? "");
    if (found === null) return sendError(res, 404, "not_found");
    const way = { gate, client: found.client, served: found.server };
    const incoming = { way, req, res, headers, startedAt };
    if (req.method === "POST") handlePost(incoming);
    else if (req.method === "GET") openStream(incoming);
    else endSession(incoming);
  };
  const onRequest = (req: IncomingMessage, res: ServerResponse): void =>
    orRefuse(res, () => answer(req, res));
  const server = createServer(
    {
      maxHeaderSize: bounds.headBytes,
      headersTimeout: bounds.headTime,
      requestTimeout: bounds.requestTime,
      keepAliveTimeout: bounds.keepAlive,
      connectionsCheckingInterval: Math.min(1_000, bounds.headTime),
      keepAlive: true,
      keepAliveInitialDelay: 30_000,
      noDelay: true,
      insecureHTTPParser: false,
    },
    onRequest,
  );
  // Node drops what is over its own count in silence; ours refuses.
  server.maxHeadersCount = 0;
  server.maxConnections = bounds.connections;
  server.on("connect", (_req, socket) => {
    socket.end(
      "HTTP/1.1 405 Method Not Allowed\r\nallow: POST\r\nconnection: close\r\ncontent-length: 0\r\n\r\n",
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.listen.port, options.listen.host, () => {
      server.off("error", reject);
      resolve();
    });
  });
  const { port } = server.address() as AddressInfo;
  own = ownNames(port);
  const { host } = options.listen;
  const base = `http://${host.includes(":") ? `[${host}]` : host}:${port}`;

  return {
    port,
    url(agent, name) {
      const client = clients.find((c) => c.agent === agent);
      return client === undefined || !served.has(name)
        ? undefined
        : base + pathOf(client, name);
    },
    enforce(rules) {
      for (const [name, { policy, limits, pins }] of rules) {
        const there = served.get(name);
        if (there === undefined) continue;
        putInForce(there.road, { policy, pins });
        there.limits = limits;
        // What a stream would still bring is refused from now on.
        if (isShut(policy))
          gate.streams.forEach((stream) => {
            if (stream.served === there) stream.end();
          });
      }
    },
    async close() {
      if (closing) return;
      closing = true;
      const ended = new Promise<void>((resolve) =>
        server.close(() => resolve()),
      );
      gate.streams.forEach((open) => open.end());
      server.closeIdleConnections();
      const until = performance.now() + bounds.closing;
      while (!gate.calls.isEmpty() && performance.now() < until)
        await new Promise((resolve) => setTimeout(resolve, 20));
      gate.calls.forEach((call) => call.end());
      deadlines.stop();
      await endSessions(gate);
      server.closeAllConnections();
      await Promise.all([...served.values()].map((s) => s.upstream.close()));
      await ended;
    },
  };
}

const moreOf = ({ agent }: Client, startedAt: number): RecordMore => ({
  agent,
  milliseconds: Math.round(performance.now() - startedAt),
});

/** Not to be guessed by another client, so that nobody can take one beforehand. */
function uniqueTexts(): () => string {
  const start = randomBytes(9).toString("base64url");
  let next = 0;
  return () => `${start}.${++next}`;
}

function serve(
  server: GatewayServer,
  bounds: Bounds,
  resolve: Resolve | undefined,
): Served {
  const { name, transport, policy, limits, pins } = server;
  const credentials = server.credentials ?? { lines: [], secrets: [] };
  return {
    name,
    post: `POST ${labelOf(transport)}`,
    road: createRoad({
      policy,
      secrets: credentials.secrets,
      pins,
      facts: server.facts,
    }),
    upstream: openUpstream(transport, credentials, bounds, resolve),
    ready: server.credentials !== null,
    limits,
    calls: 0,
    streams: 0,
    replies: 0,
  };
}

/** How the log names it: host, port and path, without a query. */
function labelOf({ url, path, socket }: HttpTransport): string {
  if (socket !== null) return `${socket.path}#${path.replace(/\?.*$/s, "")}`;
  const { host, pathname } = new URL(url);
  return host + pathname;
}

/** Sessions that are ended at their servers when the gateway closes: the last used, and only for a moment. */
const POLITE = { most: 64, milliseconds: 500 };

async function endSessions(gate: Gate): Promise<void> {
  const sessions = [...gate.sessions.all()];
  for (const session of sessions) gate.sessions.end(session);
  const last = sessions.slice(-POLITE.most);
  if (last.length === 0) return;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, POLITE.milliseconds);
    let left = last.length;
    for (const session of last)
      endUpstream(session, () => {
        if (--left > 0) return;
        clearTimeout(timer);
        resolve();
      });
  });
}
