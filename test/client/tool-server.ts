// A Streamable HTTP MCP server on loopback for tests: both eras, with the faults that a test asks for.
import {
  createServer,
  type IncomingHttpHeaders,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";

export interface ToolServerOptions {
  readonly era?: "legacy" | "modern";
  /** The page for a cursor; undefined is the first. */
  readonly page?: (cursor: string | undefined) => unknown;
  /** The bearer token that every request must carry. */
  readonly token?: string;
  /** Told of every message before it is answered. */
  readonly onMessage?: (message: { id: unknown; method: string }) => void;
  /** Answers every request itself. */
  readonly answer?: (response: ServerResponse) => void;
}

export interface ToolServer {
  readonly url: string;
  readonly requests: () => readonly {
    readonly method: string;
    readonly headers: IncomingHttpHeaders;
  }[];
  readonly stop: () => Promise<void>;
}

interface Message {
  readonly id?: number;
  readonly method: string;
  readonly params?: {
    readonly cursor?: string;
    readonly protocolVersion?: string;
  };
}

const MODERN = "2026-07-28";

export async function startToolServer(
  options: ToolServerOptions = {},
): Promise<ToolServer> {
  const seen: { method: string; headers: IncomingHttpHeaders }[] = [];
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += String(chunk);
    const message: Message | null = text === "" ? null : JSON.parse(text);
    seen.push({
      method: message?.method ?? request.method ?? "",
      headers: request.headers,
    });
    if (message !== null)
      options.onMessage?.({ id: message.id, method: message.method });
    if (options.answer !== undefined) return options.answer(response);
    const { token } = options;
    if (
      token !== undefined &&
      request.headers.authorization !== `Bearer ${token}`
    )
      return void response
        .writeHead(401, { "www-authenticate": "Bearer" })
        .end();
    if (message === null) return void response.writeHead(405).end();
    if (message.id === undefined) return void response.writeHead(202).end();
    const reply = answerTo(message, options);
    response
      .writeHead("error" in reply ? 400 : 200, {
        "content-type": "application/json",
      })
      .end(JSON.stringify({ jsonrpc: "2.0", id: message.id, ...reply }));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    requests: () => seen,
    stop: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

export const tool = (name: string, description = `${name} of the test`) => ({
  name,
  description,
  inputSchema: { type: "object" },
});

function answerTo(
  message: Message,
  { era = "legacy", page }: ToolServerOptions,
): { result: unknown } | { error: unknown } {
  const complete = era === "modern" ? { resultType: "complete" } : {};
  const serverInfo = { name: "test", version: "1" };
  const capabilities = { tools: {} };
  if (message.method === "tools/list")
    return {
      result: {
        ...complete,
        ...(era === "modern" ? { ttlMs: 0, cacheScope: "private" } : {}),
        ...(page?.(message.params?.cursor) as object),
      },
    };
  if (message.method === "server/discover" && era === "modern")
    return {
      result: {
        ...complete,
        ttlMs: 0,
        cacheScope: "private",
        supportedVersions: [MODERN],
        capabilities,
        serverInfo,
      },
    };
  if (message.method === "initialize" && era === "legacy")
    return {
      result: {
        protocolVersion: message.params?.protocolVersion,
        capabilities,
        serverInfo,
      },
    };
  return { error: { code: -32601, message: "method not found" } };
}
