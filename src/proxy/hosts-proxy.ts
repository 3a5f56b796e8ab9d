// The one way out of an isolated server: an HTTP proxy that lets through what a judge allows, to the address that was
// looked at. It keeps no rules and opens no port; connections are handed to it. One line of the log for each request.
import {
  createServer,
  request as requestHttp,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import { lookup } from "node:dns/promises";
import { connect, type Server, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { readAbsolute, readAuthority, type Target } from "./read-target.ts";

/** Why a host may not be reached: the key that decides, and words. */
interface HostRefusal {
  readonly rule: string;
  readonly reason: string;
}

interface HostsProxyOptions {
  /** Judges a host as it is named; null when it is allowed. */
  readonly judge: (target: Target) => HostRefusal | null;
  /** Why an address that a name led to may not be connected to; null when it may. */
  readonly refuseAddress: (address: string) => string | null;
  /** One line before anything happens; what cannot be logged is refused. */
  readonly log: (line: ProxyLine) => boolean;
  /** Addresses of a name; the system's own unless a test says otherwise. */
  readonly resolve?: (host: string) => Promise<readonly string[]>;
}

export interface ProxyLine {
  /** "CONNECT api.github.com:443" */
  readonly http: string;
  readonly effect: "allow" | "deny";
  readonly rule: string;
  readonly reason: string;
}

export interface HostsProxy {
  /** Serves the connections of a listener, and ends with it. */
  take(listener: Server): void;
  close(): void;
}

const MOST_CONNECTIONS = 256;
/** Milliseconds. */
const CONNECT_TIME = 15_000;
const HEAD_BYTES = 32 * 1024;

/** Headers that are about one connection, or for a proxy: they go no further (RFC 9110, 7.6.1). */
const HOP =
  /^(?:connection|keep-alive|proxy-authenticate|proxy-authorization|proxy-connection|te|trailer|transfer-encoding|upgrade|host)$/i;

export function startHostsProxy(options: HostsProxyOptions): HostsProxy {
  const { judge, refuseAddress, log, resolve = addressesOf } = options;
  const listeners = new Set<Server>();
  const open = new Set<Duplex>();
  const http = createServer({ maxHeaderSize: HEAD_BYTES });

  /** The address to connect to, or why not. Logged before it is used. */
  const admit = async (
    method: string,
    named: string,
    target: Target | null,
  ): Promise<{ readonly address: string } | { readonly refusal: string }> => {
    const line = (
      effect: "allow" | "deny",
      rule: string,
      reason: string,
    ): boolean =>
      log({
        http: `${method} ${target === null ? named.slice(0, 128) : shown(target)}`,
        effect,
        rule,
        reason,
      });
    const refuse = (rule: string, reason: string) => {
      line("deny", rule, reason);
      return { refusal: reason };
    };
    if (target === null)
      return refuse("malformed", "it names no host and port that can be read");
    const refused = judge(target);
    if (refused !== null) return refuse(refused.rule, refused.reason);
    let addresses: readonly string[];
    try {
      addresses = await resolve(target.name);
    } catch {
      return refuse("hosts", "its name cannot be resolved");
    }
    // One bad address among several is enough: which of them is used is not for a name server to choose.
    for (const each of addresses) {
      const why = refuseAddress(each);
      if (why !== null) return refuse("hosts.allow", why);
    }
    const [address] = addresses;
    if (address === undefined)
      return refuse("hosts", "its name cannot be resolved");
    return line("allow", "hosts.allow", "it is listed")
      ? { address }
      : { refusal: "the log cannot be written" };
  };

  const keep = (stream: Duplex): void => {
    open.add(stream);
    stream.once("close", () => open.delete(stream));
    // Its end is all that is to be known of it.
    stream.on("error", () => stream.destroy());
  };

  const tunnel = async (
    req: IncomingMessage,
    client: Duplex,
    head: Buffer,
  ): Promise<void> => {
    keep(client);
    const named = req.url ?? "";
    const target = readAuthority(named);
    const admitted = await admit("CONNECT", named, target);
    if ("refusal" in admitted || target === null) {
      client.end(answer(403, "refusal" in admitted ? admitted.refusal : ""));
      return;
    }
    if (client.destroyed) return;
    const server = connect({ host: admitted.address, port: target.port });
    keep(server);
    server.setTimeout(CONNECT_TIME, () => server.destroy());
    server.once("connect", () => {
      server.setTimeout(0);
      client.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      if (head.length > 0) server.write(head);
      client.pipe(server);
      server.pipe(client);
    });
    let connected = false;
    server.once("connect", () => (connected = true));
    server.once("close", () => {
      if (!connected && !client.destroyed)
        client.end(answer(502, "it cannot be reached"));
      else client.destroy();
    });
    client.once("close", () => server.destroy());
  };

  const forward = async (
    req: IncomingMessage,
    res: ServerResponse,
  ): Promise<void> => {
    const named = req.url ?? "";
    const target = readAbsolute(named);
    const method = req.method ?? "GET";
    const admitted = await admit(method, named, target);
    if ("refusal" in admitted || target === null)
      return say(res, 403, "refusal" in admitted ? admitted.refusal : "");
    const headers: string[] = ["Host", hostHeader(target)];
    for (let i = 0; i + 1 < req.rawHeaders.length; i += 2) {
      const name = req.rawHeaders[i] ?? "";
      if (!HOP.test(name)) headers.push(name, req.rawHeaders[i + 1] ?? "");
    }
    // Without a frame a body would be the next request to whoever reads it.
    if (req.headers["transfer-encoding"] !== undefined)
      headers.push("Transfer-Encoding", "chunked");
    headers.push("Connection", "close");
    const sent = requestHttp(
      {
        host: admitted.address,
        port: target.port,
        method,
        path: target.path,
        headers,
        setHost: false,
        agent: false,
        timeout: CONNECT_TIME,
      },
      (from) => {
        sent.setTimeout(0);
        const lines: string[] = [];
        for (let i = 0; i + 1 < from.rawHeaders.length; i += 2) {
          const name = from.rawHeaders[i] ?? "";
          if (!HOP.test(name)) lines.push(name, from.rawHeaders[i + 1] ?? "");
        }
        try {
          // A redirect is passed on: whoever follows it asks here again.
          res.writeHead(from.statusCode ?? 502, lines);
        } catch {
          // A status or a header that no server may send.
          sent.destroy();
          return say(res, 502, "its answer is not valid");
        }
        from.pipe(res);
        from.once("error", () => res.destroy());
      },
    );
    sent.once("timeout", () => sent.destroy(new Error("timeout")));
    sent.once("error", () => say(res, 502, "it cannot be reached"));
    res.once("close", () => sent.destroy());
    req.pipe(sent);
  };

  // What cannot be made of a request costs nobody but whoever sent it.
  http.on("request", (req, res) => {
    forward(req, res).catch(() => say(res, 502, "it cannot be passed on"));
  });
  http.on("connect", (req, client, head: Buffer) => {
    tunnel(req, client, head).catch(() => client.destroy());
  });
  http.on("clientError", (_error, client) => client.destroy());

  return {
    take(listener) {
      listeners.add(listener);
      listener.on("connection", (socket: Socket) => {
        if (open.size >= MOST_CONNECTIONS * 2) return void socket.destroy();
        keep(socket);
        http.emit("connection", socket);
      });
      listener.on("error", () => listener.close());
    },
    close() {
      for (const listener of listeners) listener.close();
      for (const stream of open) stream.destroy();
    },
  };
}

async function addressesOf(host: string): Promise<readonly string[]> {
  const found = await lookup(host, { all: true });
  return found.map(({ address }) => address);
}

const shown = ({ name, port }: Target): string =>
  `${name.includes(":") ? `[${name}]` : name}:${port}`;

const hostHeader = (target: Target): string =>
  target.port === 80 ? shown(target).replace(/:80$/, "") : shown(target);

const words = (reason: string): string =>
  `refused by the server's \`hosts\`: ${reason}\n`;

const answer = (status: number, reason: string): string => {
  const body = words(reason);
  return `HTTP/1.1 ${status} ${status === 403 ? "Forbidden" : "Bad Gateway"}\r\nContent-Type: text/plain\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`;
};

function say(res: ServerResponse, status: number, reason: string): void {
  if (res.headersSent) return void res.destroy();
  res.writeHead(status, { "content-type": "text/plain", connection: "close" });
  res.end(words(reason));
}
