// A server for tests: it answers what a test tells it to, keeps everything it received, and leaves no socket open.
import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo, Socket } from "node:net";

export interface Received {
  readonly method: string;
  readonly url: string;
  readonly rawHeaders: readonly string[];
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
  /** The body as JSON, or null. */
  readonly message: {
    readonly id?: unknown;
    readonly method?: string;
    readonly params?: Record<string, unknown>;
    readonly [key: string]: unknown;
  } | null;
  /** True once the other side has gone before the answer was complete. */
  readonly aborted: () => boolean;
}

export type Respond = (
  received: Received,
  res: ServerResponse,
) => void | Promise<void>;

export interface FakeServer {
  readonly url: string;
  readonly received: Received[];
  /** Changes what it answers from now on. */
  respond(next: Respond): void;
  /** Breaks every connection. */
  breakOff(): void;
  readonly sockets: ReadonlySet<Socket>;
  close(): Promise<void>;
}

/** An answer of JSON-RPC to whatever was asked. */
export const answerWith =
  (result: unknown, headers: Record<string, string> = {}): Respond =>
  ({ message }, res) => {
    if (message?.id === undefined) return void res.writeHead(202).end();
    res
      .writeHead(200, { "content-type": "application/json", ...headers })
      .end(JSON.stringify({ jsonrpc: "2.0", id: message.id, result }));
  };

export const OK_RESULT = { content: [{ type: "text", text: "fine" }] };

export async function fakeServer(
  first: Respond = answerWith(OK_RESULT),
): Promise<FakeServer> {
  let respond = first;
  const received: Received[] = [];
  const sockets = new Set<Socket>();
  const server: Server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    let aborted = false;
    res.on("close", () => {
      aborted = !res.writableFinished;
    });
    res.on("error", () => {});
    req.on("error", () => {});
    req.on("data", (chunk: Buffer) => chunks.push(chunk));
    req.on("end", () => {
      const body = Buffer.concat(chunks).toString();
      const entry: Received = {
        method: req.method ?? "",
        url: req.url ?? "",
        rawHeaders: req.rawHeaders,
        headers: req.headers,
        body,
        message: parsed(body),
        aborted: () => aborted,
      };
      received.push(entry);
      void respond(entry, res);
    });
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const breakOff = (): void => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    received,
    respond: (next) => {
      respond = next;
    },
    breakOff,
    sockets,
    async close() {
      breakOff();
      if (!server.listening) return;
      server.close();
      await once(server, "close");
    },
  };
}

function parsed(body: string): Received["message"] {
  try {
    return JSON.parse(body) as Received["message"];
  } catch {
    return null;
  }
}
