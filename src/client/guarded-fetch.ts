// HTTP requests to one server and to nothing else: no redirect, no address that a URL may not name, an answer of bounded
// size. It keeps the last thing that went wrong, because the MCP client passes that on only in its own words.
import { lookup } from "node:dns";
import { request as requestHttp, type IncomingMessage } from "node:http";
import { request as requestHttps } from "node:https";
import type { LookupFunction } from "node:net";
import { Readable } from "node:stream";
import { createEventParser } from "../enforce/event-stream.ts";
import { decodeUtf8 } from "../enforce/message.ts";
import type { Listener } from "./offer.ts";
import {
  addressBytes,
  addressKind,
  type AddressKind,
} from "../match/address.ts";

interface GuardedFetch {
  readonly fetch: (url: string | URL, init?: RequestInit) => Promise<Response>;
  /** What went wrong last, or null. */
  readonly failure: () => Failure | null;
}

export type Failure =
  | { readonly kind: "status"; readonly status: number }
  | { readonly kind: "redirect"; readonly to: string }
  | { readonly kind: "too-large" }
  | { readonly kind: "address"; readonly is: AddressKind }
  /** An error of the network or of TLS, by Node's code. */
  | { readonly kind: "network"; readonly code: string };

/**
 * `server`: the only URL that is requested. `mostBytes`: of all answers together. `listener` gets the messages of both
 * sides as they were sent.
 */
export function guardedFetch(
  server: URL,
  mostBytes: number,
  listener: Pick<Listener, "sent" | "heard">,
): GuardedFetch {
  let failure: Failure | null = null;
  let left = mostBytes;
  const fail = (found: Failure): Error => {
    failure = found;
    return new Error(found.kind);
  };
  const count = async function* (answer: IncomingMessage) {
    const hear = messagesOf(answer, mostBytes, listener);
    for await (const chunk of answer) {
      left -= (chunk as Buffer).length;
      if (left < 0) throw fail({ kind: "too-large" });
      hear(chunk as Buffer);
      yield chunk as Buffer;
    }
    hear(null);
  };
  return {
    failure: () => failure,
    async fetch(url, init = {}) {
      if (new URL(url).href !== server.href) throw new Error("another address");
      // A server may refuse what is not a POST: the stream that a client offers to read, the end of its session.
      const asks = init.method === "POST";
      if (asks) failure = null;
      if (typeof init.body === "string") listener.sent(init.body);
      const answer = await exchange(server, init).catch((error: unknown) => {
        const { code = "unknown", refused } = error as RequestError;
        throw refused === undefined
          ? fail({ kind: "network", code })
          : fail({ kind: "address", is: refused });
      });
      const status = answer.statusCode ?? 0;
      const to = answer.headers.location;
      if (status >= 300 && status < 400) {
        answer.destroy();
        throw fail({ kind: "redirect", to: to ?? "" });
      }
      if (asks && status >= 400) failure = { kind: "status", status };
      const headers = new Headers();
      for (let i = 0; i + 1 < answer.rawHeaders.length; i += 2)
        headers.append(
          answer.rawHeaders[i] ?? "",
          answer.rawHeaders[i + 1] ?? "",
        );
      const empty = status === 204 || status === 205 || status === 304;
      if (empty) answer.resume();
      return new Response(empty ? null : toWeb(count(answer)), {
        status,
        headers,
      });
    },
  };
}

/** Takes an answer's bytes, and null at their end. */
function messagesOf(
  answer: IncomingMessage,
  mostBytes: number,
  { heard }: Pick<Listener, "heard">,
): (chunk: Buffer | null) => void {
  if (/^text\/event-stream\b/i.test(answer.headers["content-type"] ?? "")) {
    const parser = createEventParser(mostBytes);
    return (chunk) => {
      for (const { data } of chunk === null ? [] : parser.push(chunk))
        if (data !== null) heard(data);
    };
  }
  const chunks: Buffer[] = [];
  return (chunk) => {
    if (chunk !== null) return void chunks.push(chunk);
    const text = decodeUtf8(Buffer.concat(chunks));
    if (text !== null) heard(text);
  };
}

const toWeb = (chunks: AsyncIterable<Buffer>): ReadableStream<Uint8Array> =>
  Readable.toWeb(Readable.from(chunks)) as ReadableStream<Uint8Array>;

type RequestError = NodeJS.ErrnoException & { readonly refused?: AddressKind };

function exchange(url: URL, init: RequestInit): Promise<IncomingMessage> {
  const request = url.protocol === "https:" ? requestHttps : requestHttp;
  const headers = Object.fromEntries(new Headers(init.headers));
  const body = typeof init.body === "string" ? init.body : "";
  return new Promise((resolve, reject) => {
    const host = url.hostname.replace(/^\[|\]$/g, "");
    const bytes = addressBytes(host);
    const problem = bytes === null ? null : refusal(addressKind(bytes));
    if (problem !== null) return reject(problem);
    const sent = request(
      url,
      {
        method: init.method ?? "GET",
        // No compression: a small answer must not become a huge one.
        headers: { ...headers, "accept-encoding": "identity" },
        lookup: lookupGuarded,
        agent: false,
        ...(init.signal ? { signal: init.signal } : {}),
      },
      resolve,
    );
    sent.once("error", reject);
    sent.end(body);
  });
}

const REFUSED: readonly AddressKind[] = [
  "unspecified",
  "link-local",
  "multicast",
  "metadata",
];

const refusal = (kind: AddressKind): RequestError | null =>
  REFUSED.includes(kind)
    ? Object.assign(new Error("refused address"), { refused: kind })
    : null;

/** Resolves, and refuses the name when one of its addresses is refused: the connection goes to what was looked at. */
const lookupGuarded: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    const first = addresses?.[0];
    if (error !== null || first === undefined)
      return callback(error ?? new Error("no address"), "", 0);
    for (const { address } of addresses) {
      const problem = refusal(addressKind(addressBytes(address) ?? []));
      if (problem !== null) return callback(problem, "", 0);
    }
    if (options.all === true) callback(null, addresses);
    else callback(null, first.address, first.family);
  });
};
