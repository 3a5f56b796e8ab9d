// Asks a remote MCP server for its tools, for a person who chooses among them. Bounded in time, pages, tools and bytes;
// nothing is called. Both protocol eras: the client probes with `server/discover` and falls back to `initialize`.
import * as z from "zod";
import { visible } from "../diagnostics/visible.ts";
import { VERSION } from "../version.ts";
import { guardedFetch, type Failure } from "./guarded-fetch.ts";

export interface ServerTool {
  /** As the server spells it. */
  readonly name: string;
  /** As it may be shown: control and invisible characters made visible. */
  readonly shown: string;
  /** One line, made visible; may be empty. */
  readonly description: string;
}

export type ListedTools =
  | { readonly tools: readonly ServerTool[] }
  /** Words that go on with "the server …". */
  | { readonly problem: string; readonly wantsToken: boolean };

export interface ServerAddress {
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

/** What is read of a page; the rest of a definition may be as odd as it likes. */
const page = z.looseObject({
  tools: z.array(
    z.looseObject({
      name: z.string(),
      description: z.string().optional().catch(""),
    }),
  ),
  nextCursor: z.string().optional(),
});

/** Lists every tool once, in the server's order. */
export async function listServerTools(
  server: ServerAddress,
  bounds: Bounds = BOUNDS,
): Promise<ListedTools> {
  const { Client, StreamableHTTPClientTransport } =
    await import("@modelcontextprotocol/client");
  const url = new URL(server.url);
  const guarded = guardedFetch(url, bounds.bytes);
  const client = new Client(
    { name: "fenzi", version: VERSION },
    { capabilities: {}, versionNegotiation: { mode: "auto" } },
  );
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), bounds.milliseconds);
  const options = { signal: stop.signal, timeout: bounds.milliseconds };
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
  const ask = async (): Promise<ListedTools> => {
    await client.connect(transport, options);
    const tools = await walk(bounds, (params) =>
      client.request({ method: "tools/list", params }, page, options),
    );
    await Promise.race([
      transport.terminateSession().catch(() => undefined),
      new Promise((done) => setTimeout(done, FAREWELL).unref()),
    ]);
    return tools;
  };
  try {
    return await Promise.race([ask(), aborted(stop.signal)]);
  } catch {
    return stop.signal.aborted
      ? problem(`did not answer within ${bounds.milliseconds / 1000} s`)
      : problemOf(guarded.failure());
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

async function walk(
  bounds: Bounds,
  fetchPage: (params: { cursor?: string }) => Promise<z.infer<typeof page>>,
): Promise<ListedTools> {
  const tools = new Map<string, ServerTool>();
  const cursors = new Set<string>();
  let cursor: string | undefined;
  for (let pages = 0; pages < bounds.pages; pages++) {
    const answer = await fetchPage(cursor === undefined ? {} : { cursor });
    for (const { name, description } of answer.tools) {
      if (tools.size >= bounds.tools)
        return problem(`lists more than ${bounds.tools} tools`);
      if (!tools.has(name))
        tools.set(name, {
          name,
          shown: visible(name),
          description: visible((description ?? "").trim().replace(/\s+/g, " ")),
        });
    }
    cursor = answer.nextCursor;
    // A server that hands out a cursor twice would be asked for ever.
    if (cursor === undefined || cursor === "" || cursors.has(cursor))
      return { tools: [...tools.values()] };
    cursors.add(cursor);
  }
  return problem(
    `does not come to an end after ${bounds.pages} pages of tools`,
  );
}

const problem = (text: string, wantsToken = false): ListedTools => ({
  problem: text,
  wantsToken,
});

function problemOf(failure: Failure | null): ListedTools {
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
  ENOTFOUND: "has a host name that is not known",
  EAI_AGAIN: "has a host name that cannot be looked up now",
  ECONNREFUSED: "cannot be reached: nothing listens there",
  ECONNRESET: "closed the connection",
  ETIMEDOUT: "cannot be reached: the connection timed out",
  EHOSTUNREACH: "cannot be reached: there is no way to its host",
  ENETUNREACH: "cannot be reached: there is no network",
};
