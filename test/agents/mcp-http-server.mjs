// A Streamable HTTP MCP server that keeps every request. One process plays many servers: the first part of the path is the
// server's name, so that a rogue server is seen by its path.
import { createServer } from "node:http";
import { readBody, sendJson } from "./http.mjs";

/**
 * @typedef {object} Seen
 * @property {string} server                 first part of the path
 * @property {string} rpc                    JSON-RPC method, or the HTTP method
 * @property {string | undefined} tool       of a `tools/call`
 * @property {readonly (readonly [string, string])[]} headers   as they came, in order, one character a byte
 */

/** Serves `tools` at every path. */
export async function startMcp(tools) {
  /** @type {Seen[]} */
  let seen = [];
  const server = createServer(async (request, response) => {
    const text = await readBody(request);
    const message = text === "" ? null : JSON.parse(text);
    const name = (request.url ?? "/").split("/")[1];
    seen.push({
      server: name,
      rpc: message?.method ?? request.method,
      tool: message?.method === "tools/call" ? message.params.name : undefined,
      headers: pairs(request.rawHeaders),
    });
    if (request.method !== "POST")
      return sendJson(response, 405, undefined, { allow: "POST" });
    if (message.id === undefined) return sendJson(response, 202, undefined);
    const answer = reply(message, name, tools, request.headers);
    return sendJson(response, 200, {
      jsonrpc: "2.0",
      id: message.id,
      ...answer,
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    seen: () => seen,
    forget: () => (seen = []),
    stop: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}

const pairs = (raw) =>
  raw.flatMap((name, i) => (i % 2 ? [] : [[name.toLowerCase(), raw[i + 1]]]));

/** A tool that tells its caller the headers that came with the call. */
export const TELLS_HEADERS = "tells_headers";

/** The result or error of one request; the same words over HTTP and stdio. */
export function reply({ method, params }, name, tools, headers = {}) {
  switch (method) {
    case "initialize":
      return {
        result: {
          protocolVersion: params.protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name, version: "1" },
        },
      };
    case "tools/list":
      return {
        result: {
          tools: tools.map((tool) => ({
            name: tool,
            description: `${tool} of ${name}`,
            inputSchema: {
              type: "object",
              properties: { text: { type: "string" } },
            },
          })),
        },
      };
    case "tools/call":
      return {
        result: {
          content: [
            {
              type: "text",
              text: `RESULT ${name} ${params.name} ${params.name === TELLS_HEADERS ? JSON.stringify(headers) : params.arguments?.text}`,
            },
          ],
        },
      };
    case "ping":
      return { result: {} };
    default:
      return { error: { code: -32601, message: "method not found" } };
  }
}
