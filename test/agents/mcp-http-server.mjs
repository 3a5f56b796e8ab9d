// A Streamable HTTP MCP server that keeps every request. One process plays many servers: the first part of the path is the
// server's name, so that a rogue server is seen by its path.
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { openEvents, readBody, sendJson } from "./http.mjs";

/**
 * @typedef {object} Seen
 * @property {string} server                 first part of the path
 * @property {string} rpc                    JSON-RPC method, or the HTTP method
 * @property {string | undefined} tool       of a `tools/call`
 * @property {readonly (readonly [string, string])[]} headers   as they came, in order, one character a byte
 */

/** Serves `tools` at every path. The servers named in `stateful` have sessions, and answer with streams. */
export async function startMcp(tools, stateful = []) {
  /** @type {Seen[]} */
  let seen = [];
  let sessions = new Set();
  const server = createServer(async (request, response) => {
    const text = await readBody(request);
    const message = text === "" ? null : JSON.parse(text);
    const name = (request.url ?? "/").split("/")[1];
    const rpc = message?.method ?? request.method;
    seen.push({
      server: name,
      rpc,
      tool: rpc === "tools/call" ? message.params.name : undefined,
      headers: pairs(request.rawHeaders),
    });
    const id = request.headers["mcp-session-id"];
    if (stateful.includes(name)) {
      const opens = ["initialize", "server/discover"].includes(rpc);
      if (!opens && !sessions.has(id)) return sendJson(response, 404, {});
      if (rpc === "GET") return openEvents(response);
      if (rpc === "DELETE") {
        sessions.delete(id);
        return sendJson(response, 200, {});
      }
    }
    if (request.method !== "POST")
      return sendJson(response, 405, undefined, { allow: "POST" });
    if (message.id === undefined) return sendJson(response, 202, undefined);
    const answer = {
      jsonrpc: "2.0",
      id: message.id,
      ...reply(message, name, tools, request.headers),
    };
    if (!stateful.includes(name)) return sendJson(response, 200, answer);
    if (rpc === "initialize") {
      const session = randomUUID();
      sessions.add(session);
      response.setHeader("mcp-session-id", session);
    }
    openEvents(response)(answer, "message");
    return response.end();
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    seen: () => seen,
    /** Sessions that were begun and not ended. */
    sessions: () => [...sessions],
    forget() {
      seen = [];
      sessions = new Set();
    },
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

/** A tool that a server over stdio leaves without an answer. */
export const NEVER_ANSWERS = "never_answers";

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
              properties: {
                text: { type: "string" },
                path: { type: "string" },
              },
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
