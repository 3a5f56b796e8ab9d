// What the head of a request must be like before anything else is looked at: from this machine's own clients, for this
// port, without any of the forms that two programs read differently. Node's parser accepts them, so they are refused
// here; what it refuses itself (two lengths, bare line ends, large heads) is not repeated.
import type { IncomingMessage } from "node:http";
import type { HeaderValues } from "../enforce/http-head.ts";

/** The names under which a client on this machine reaches the port. */
interface OwnNames {
  readonly hosts: ReadonlySet<string>;
  readonly origins: ReadonlySet<string>;
}

export function ownNames(port: number): OwnNames {
  const hosts = ["127.0.0.1", "localhost", "[::1]"].map((h) => `${h}:${port}`);
  return {
    hosts: new Set(hosts),
    origins: new Set(hosts.map((host) => `http://${host}`)),
  };
}

interface HeadRefusal {
  readonly status: 400 | 403 | 405 | 431;
  readonly error: string;
}

const malformed: HeadRefusal = { status: 400, error: "bad_request" };
const foreign: HeadRefusal = { status: 403, error: "forbidden" };

/** Headers that mean one thing only when they come once. */
const ONCE = [
  "host",
  "content-type",
  "content-length",
  "transfer-encoding",
  "mcp-protocol-version",
  "mcp-method",
  "mcp-name",
  "mcp-session-id",
  "last-event-id",
] as const;

/** What is wrong, or null. */
export function headRefusal(
  req: IncomingMessage,
  headers: HeaderValues,
  own: OwnNames,
  mostLines: number,
): HeadRefusal | null {
  const target = req.url ?? "";
  if (req.rawHeaders.length > 2 * mostLines)
    return { status: 431, error: "too_many_headers" };
  // Only the origin form: any other may name a host of its own.
  if (!target.startsWith("/") && !(target === "*" && req.method === "OPTIONS"))
    return malformed;
  // Most requests have no header twice at all.
  if (headers.size * 2 !== req.rawHeaders.length)
    for (const name of ONCE)
      if ((headers.get(name)?.length ?? 0) > 1) return malformed;
  const host = headers.get("host")?.[0];
  if (host === undefined) return malformed;
  if (!own.hosts.has(host)) return foreign;
  // A list of origins, or of sites, is as foreign as its worst member.
  const origins = headers.get("origin") ?? [];
  if (origins.length > 1 || !origins.every((o) => own.origins.has(o)))
    return foreign;
  const sites = headers.get("sec-fetch-site") ?? [];
  if (!sites.every((site) => site === "same-origin" || site === "none"))
    return foreign;
  if (headers.has("upgrade") || headers.has("http2-settings")) return malformed;
  if (req.httpVersion !== "1.1" && headers.has("transfer-encoding"))
    return malformed;
  return req.method === "POST" ||
    req.method === "GET" ||
    req.method === "DELETE"
    ? null
    : { status: 405, error: "method_not_allowed" };
}
