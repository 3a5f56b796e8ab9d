// Asks an MCP server what it offers, for a person who looks at it. Bounded in time, pages, tools and bytes; nothing is
// called. Both protocol eras: the client probes with `server/discover` and falls back to `initialize`.
import type { Client, Transport } from "@modelcontextprotocol/client";
import * as z from "zod";
import { visible } from "../diagnostics/visible.ts";
import { VERSION } from "../version.ts";
import { guardedFetch, type Failure } from "./guarded-fetch.ts";
import { listenToServer, type Listener, type Offer } from "./offer.ts";
import { streamTransport, type ServerStreams } from "./stream-transport.ts";

export type Asked =
  | { readonly offer: Offer }
  /** Words that go on with "the server …". */
  | {
      readonly problem: string;
      readonly wantsToken: boolean;
      /** The end of what a local server wrote on standard error, as it wrote it. */
      readonly words?: string;
    };

interface ServerAddress {
  readonly url: string;
  /** Sent with every request; the token's header among them. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface Bounds {
  readonly milliseconds: number;
  readonly pages: number;
  readonly tools: number;
  readonly bytes: number;
}

const BOUNDS: Bounds = {
  milliseconds: 15_000,
  pages: 100,
  tools: 10_000,
  bytes: 16 * 1024 * 1024,
};

/** How long the end of a session may take, in milliseconds. */
const FAREWELL = 1000;

/** What is read of a page here; the definitions are taken from its text. */
const page = z.looseObject({
  tools: z.array(z.looseObject({ name: z.string() })),
  nextCursor: z.string().optional(),
});

/** Asks a remote server. */
export async function askRemote(
  server: ServerAddress,
  bounds: Bounds = BOUNDS,
): Promise<Asked> {
  const { StreamableHTTPClientTransport } =
    await import("@modelcontextprotocol/client");
  const url = new URL(server.url);
  const listener = listenToServer();
  const guarded = guardedFetch(url, bounds.bytes, listener);
  const transport = new StreamableHTTPClientTransport(url, {
    fetch: guarded.fetch,
    requestInit: { headers: { ...server.headers }, redirect: "error" },
    reconnectionOptions: {
      maxRetries: 0,
      initialReconnectionDelay: 0,
      maxReconnectionDelay: 0,
      reconnectionDelayGrowFactor: 1,
    },
  });
  return ask(transport, listener, bounds, {
    leave: () =>
      Promise.race([
        transport.terminateSession().catch(() => undefined),
        new Promise((done) => setTimeout(done, FAREWELL).unref()),
      ]),
    failure: () => problemOf(guarded.failure()),
  });
}

/** Asks a local server that was started. Ending it is the caller's. */
export async function askLocal(
  server: ServerStreams,
  bounds: Bounds = BOUNDS,
): Promise<Asked> {
  const listener = listenToServer();
  const streams = streamTransport(server, bounds.bytes, listener);
  return ask(streams.transport, listener, bounds, {
    leave: () => Promise.resolve(),
    failure: () =>
      problem(streams.failure() ?? "does not answer as an MCP server does"),
  }).then((asked) =>
    "offer" in asked ? asked : { ...asked, words: streams.words() },
  );
}

async function ask(
  transport: Transport,
  listener: Listener,
  bounds: Bounds,
  side: {
    /** Ends a session. */
    readonly leave: () => Promise<unknown>;
    /** What went wrong. */
    readonly failure: () => Asked;
  },
): Promise<Asked> {
  const { Client } = await import("@modelcontextprotocol/client");
  const client = new Client(
    { name: "fenzi", version: VERSION },
    { capabilities: {}, versionNegotiation: { mode: "auto" } },
  );
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), bounds.milliseconds);
  const options = { signal: stop.signal, timeout: bounds.milliseconds };
  const run = async (): Promise<Asked> => {
    await client.connect(transport, options);
    const endless = await walk(client, bounds, options);
    await side.leave();
    return endless ?? { offer: listener.offer() };
  };
  try {
    return await Promise.race([run(), aborted(stop.signal)]);
  } catch {
    return stop.signal.aborted
      ? problem(`did not answer within ${bounds.milliseconds / 1000} s`)
      : side.failure();
  } finally {
    clearTimeout(timer);
    stop.abort();
    await client.close().catch(() => undefined);
  }
}

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(new Error("aborted")));
  });

/** Asks for page after page. Gives what is wrong, or null at the end of the list. */
async function walk(
  client: Client,
  bounds: Bounds,
  options: { readonly signal: AbortSignal; readonly timeout: number },
): Promise<Asked | null> {
  let tools = 0;
  const cursors = new Set<string>();
  let cursor: string | undefined;
  for (let pages = 0; pages < bounds.pages; pages++) {
    const params = cursor === undefined ? {} : { cursor };
    const answer = await client.request(
      { method: "tools/list", params },
      page,
      options,
    );
    tools += answer.tools.length;
    if (tools > bounds.tools)
      return problem(`lists more than ${bounds.tools} tools`);
    cursor = answer.nextCursor;
    // A server that hands out a cursor twice would be asked for ever. An empty one is a cursor like others.
    if (cursor === undefined || cursors.has(cursor)) return null;
    cursors.add(cursor);
  }
  return problem(
    `does not come to an end after ${bounds.pages} pages of tools`,
  );
}

const problem = (text: string, wantsToken = false): Asked => ({
  problem: text,
  wantsToken,
});

function problemOf(failure: Failure | null): Asked {
  if (failure === null) return problem("does not answer as an MCP server does");
  switch (failure.kind) {
    case "status":
      return problem(
        `answers with HTTP ${failure.status}${STATUS[failure.status] ?? ""}`,
        failure.status === 401 || failure.status === 403,
      );
    case "redirect":
      return problem(
        failure.to === ""
          ? "answers with a redirect"
          : `redirects to \`${visible(failure.to)}\`; a redirect is not followed`,
      );
    case "too-large":
      return problem("sends more than can be a list of tools");
    case "address":
      return problem(`is at a ${failure.is} address, which is never contacted`);
    case "network":
      return problem(
        NETWORK[failure.code] ??
          (/CERT|SSL|TLS|ALTNAME/.test(failure.code)
            ? `has a certificate that is not accepted (${failure.code})`
            : `cannot be reached (${failure.code})`),
      );
  }
}

const STATUS: Readonly<Record<number, string>> = {
  401: " (it wants a token)",
  403: " (forbidden)",
  404: " (there is nothing at this path)",
  405: " (this path takes no MCP messages)",
};

const NETWORK: Readonly<Record<string, string>> = {
  ENOTFOUND: "cannot be found: no such host name, or no network",
  EAI_AGAIN: "has a host name that cannot be looked up now",
  ECONNREFUSED: "cannot be reached: nothing listens there",
  ECONNRESET: "closed the connection",
  ETIMEDOUT: "cannot be reached: the connection timed out",
  EHOSTUNREACH: "cannot be reached: there is no way to its host",
  ENETUNREACH: "cannot be reached: there is no network",
};
