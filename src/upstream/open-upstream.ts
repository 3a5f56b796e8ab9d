// Requests to one server: its exact origin and path, headers made here and nothing of the client's, no redirect, the
// addresses that were checked. What an answer means is not decided here.
import { Pool } from "undici";
import type { HeaderValues } from "../enforce/http-head.ts";
import { addressBytes } from "../match/address.ts";
import type { HttpTransport } from "../model/model.ts";
import { VERSION } from "../version.ts";
import {
  checkedLookup,
  mayConnect,
  REFUSED_ADDRESS,
  type Resolve,
} from "./checked-lookup.ts";
import { connectSocket, REFUSED_SOCKET } from "./connect-socket.ts";
import type { Credentials } from "./credentials.ts";

export interface Outgoing {
  readonly method: "POST" | "GET" | "DELETE";
  /** Header lines beside those that every request gets: name, value, name, value. */
  readonly lines: readonly string[];
  readonly body: Uint8Array | null;
  /** A stream without an end: it has sockets of its own, so that it takes none from calls. */
  readonly endless: boolean;
}

/** Gets an answer piece by piece. After `failed` or `end` nothing comes any more. */
export interface Sink {
  head(status: number, headers: HeaderValues): void;
  data(chunk: Buffer): void;
  end(): void;
  /** `words` name no address and nothing that was sent. */
  failed(words: string): void;
}

/** A request that is under way. */
export interface Flight {
  /** Ends it; its sink hears nothing more. */
  abort(): void;
  pause(): void;
  resume(): void;
}

export interface UpstreamBounds {
  /** Bytes of an answer's head. */
  readonly headBytes: number;
  /** Milliseconds to connect. */
  readonly connectTime: number;
}

export interface Upstream {
  send(request: Outgoing, sink: Sink): Flight;
  /** Breaks off whatever is still under way. */
  close(): Promise<void>;
}

export function openUpstream(
  transport: HttpTransport,
  credentials: Credentials,
  bounds: UpstreamBounds,
  resolve?: Resolve,
): Upstream {
  const { path, socket } = transport;
  const origin =
    socket === null ? new URL(transport.url).origin : "http://localhost";
  const pool = (): Pool =>
    new Pool(origin, {
      pipelining: 1,
      // How many there may be is counted before; see `Bounds.calls` and `Bounds.streams`.
      connections: null,
      maxHeaderSize: bounds.headBytes,
      // Every call has its own clock.
      headersTimeout: 0,
      bodyTimeout: 0,
      connectTimeout: bounds.connectTime,
      connect:
        socket === null
          ? { lookup: checkedLookup(transport.loopback, resolve) }
          : connectSocket(socket, transport.systemSocket, bounds.connectTime),
      allowH2: false,
    });
  let calls: Pool | null = null;
  let streams: Pool | null = null;
  const always = [
    "accept",
    "application/json, text/event-stream",
    "accept-encoding",
    "identity",
    "user-agent",
    `fenzi/${VERSION}`,
    ...credentials.lines,
  ];
  const alwaysWithBody = [...always, "content-type", "application/json"];
  const literal =
    addressBytes(transport.host) === null ||
    mayConnect(transport.host, transport.loopback);

  return {
    send(request, sink) {
      let over = false;
      let control: { abort(reason: Error): void } | null = null;
      let paused: { pause(): void; resume(): void } | null = null;
      const flight: Flight = {
        abort() {
          if (over) return;
          over = true;
          control?.abort(new Error("aborted"));
        },
        pause: () => paused?.pause(),
        resume: () => paused?.resume(),
      };
      if (!literal) {
        queueMicrotask(() => sink.failed(wordsFor({ code: REFUSED_ADDRESS })));
        return flight;
      }
      const own = request.body === null ? always : alwaysWithBody;
      const lines =
        request.lines.length === 0 ? own : [...own, ...request.lines];
      const chosen = request.endless
        ? (streams ??= pool())
        : (calls ??= pool());
      chosen.dispatch(
        { method: request.method, path, headers: lines, body: request.body },
        {
          onRequestStart(controller) {
            control = paused = controller;
            if (over) controller.abort(new Error("aborted"));
          },
          onResponseStart(_controller, status, headers) {
            // 1xx answers lead nowhere.
            if (!over && status >= 200) sink.head(status, valuesOf(headers));
          },
          onResponseData(_controller, chunk) {
            if (!over) sink.data(chunk);
          },
          onResponseEnd() {
            if (over) return;
            sink.end();
            over = true;
          },
          onResponseError(_controller, error) {
            if (over) return;
            over = true;
            sink.failed(wordsFor(error));
          },
        },
      );
      return flight;
    },
    async close() {
      await Promise.all([calls?.destroy(), streams?.destroy()]);
    },
  };
}

/** All that an answer's head is asked for. */
const ASKED = ["content-type", "content-encoding", "mcp-session-id"] as const;

/** Names come in lower case, and a header that came twice as a list. */
function valuesOf(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): HeaderValues {
  const out = new Map<string, readonly string[]>();
  for (const name of ASKED) {
    const value = headers[name];
    if (value !== undefined)
      out.set(name, typeof value === "string" ? [value] : value);
  }
  return out;
}

/** What went wrong, in words that are the same for every address. */
function wordsFor(error: unknown): string {
  const { code } = error as { readonly code?: unknown };
  switch (code) {
    case REFUSED_ADDRESS:
      return "its name leads to an address that servers may not have";
    case REFUSED_SOCKET:
      return "its socket belongs to another user, and `allowSystemSocket` is not set";
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return "its name cannot be resolved";
    case "ECONNREFUSED":
    case "ENOENT":
    case "ENOTSOCK":
    case "EACCES":
    case "EHOSTUNREACH":
    case "ENETUNREACH":
    case "ETIMEDOUT":
    case "UND_ERR_CONNECT_TIMEOUT":
      return "it cannot be reached";
    case "UND_ERR_HEADERS_OVERFLOW":
      return "the head of its answer is too large";
    default:
      if (typeof code === "string" && /CERT|TLS|SSL|SIGNATURE/.test(code))
        return "its certificate or its TLS is not accepted";
      if (typeof code === "string" && code.startsWith("HPE_"))
        return "its answer is not HTTP";
      return "it broke off the connection";
  }
}
