// The official client through the gateway: it connects in both eras, takes refusals as errors of one call, and nothing
// in between makes it sign in or give up.
import {
  Client,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { expect, test } from "vitest";
import { answerWith, OK_RESULT, type Respond } from "./fake-server.ts";
import { endWorlds, openWorld } from "./world.ts";

endWorlds();

const TOOLS = ["read_file", "delete_all"].map((name) => ({
  name,
  inputSchema: { type: "object" },
}));

/** As servers of the older era do: a session, and 400 to what they do not know before it. */
const legacy: Respond = (received, res) => {
  const { message, method, headers } = received;
  if (method === "GET") return void res.writeHead(405).end();
  if (method === "DELETE") return void res.writeHead(200).end();
  if (message?.method === "initialize")
    return answerWith(
      {
        protocolVersion: message.params?.["protocolVersion"],
        capabilities: { tools: { listChanged: true }, resources: {} },
        serverInfo: { name: "fake", version: "1" },
      },
      { "mcp-session-id": "s-1" },
    )(received, res);
  if (headers["mcp-session-id"] !== "s-1") {
    res.writeHead(400, { "content-type": "application/json" });
    res.end(
      JSON.stringify({
        jsonrpc: "2.0",
        error: { code: -32000, message: "Bad Request: Server not initialized" },
        id: null,
      }),
    );
    return;
  }
  return answerWith(
    message?.method === "tools/list" ? { tools: TOOLS } : OK_RESULT,
  )(received, res);
};

/** As servers of the newer era do: everything in the request, and no session. */
const modern: Respond = (received, res) => {
  const { message, method } = received;
  if (method !== "POST") return void res.writeHead(405).end();
  const common = { resultType: "complete" };
  const cache = { ttlMs: 1_000, cacheScope: "public" };
  switch (message?.method) {
    case "server/discover":
      return answerWith({
        ...common,
        ...cache,
        supportedVersions: ["2026-07-28"],
        capabilities: { tools: {} },
        serverInfo: { name: "fake", version: "1" },
      })(received, res);
    case "tools/list":
      return answerWith({ ...common, ...cache, tools: TOOLS })(received, res);
    case "tools/call":
      return answerWith({ ...common, ...OK_RESULT })(received, res);
    default:
      res.writeHead(404, { "content-type": "application/json" });
      res.end(
        JSON.stringify({
          jsonrpc: "2.0",
          id: message?.id,
          error: { code: -32601, message: "Method not found" },
        }),
      );
  }
};

test.each([
  ["an older server", legacy, "auto", "2025-11-25"],
  ["an older server, by an older client", legacy, "legacy", "2025-11-25"],
  ["a newer server", modern, "auto", "2026-07-28"],
] as const)("%s", async (_what, respond, mode, version) => {
  const { url, server } = await openWorld(respond);
  const client = new Client(
    { name: "test", version: "1" },
    { versionNegotiation: { mode } },
  );
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  expect((await client.listTools()).tools.map((tool) => tool.name)).toEqual([
    "read_file",
  ]);
  expect(
    await client.callTool({ name: "read_file", arguments: {} }),
  ).toMatchObject(OK_RESULT);
  await expect(
    client.callTool({ name: "delete_all", arguments: {} }),
  ).rejects.toThrow(/`delete_all` of `demo` is not allowed here/);
  // The session goes on after a refusal.
  expect(
    await client.callTool({ name: "read_file", arguments: {} }),
  ).toMatchObject(OK_RESULT);
  await client.close();
  const calls = server.received.filter(
    (r) => r.message?.method === "tools/call",
  );
  expect(calls.map((r) => r.message?.params?.["name"])).toEqual([
    "read_file",
    "read_file",
  ]);
  expect(new Set(calls.map((r) => r.headers["mcp-protocol-version"]))).toEqual(
    new Set([version]),
  );
});

test("a server that wants another token is an error of the connection, not a way to sign in", async () => {
  const { url, server } = await openWorld(
    (_received, res) =>
      void res
        .writeHead(401, {
          "www-authenticate": 'Bearer resource_metadata="http://127.0.0.1:1/"',
        })
        .end(),
  );
  const client = new Client(
    { name: "test", version: "1" },
    { versionNegotiation: { mode: "auto" } },
  );
  await expect(
    client.connect(new StreamableHTTPClientTransport(new URL(url))),
  ).rejects.toThrow();
  expect(server.received.every((r) => r.url === "/mcp")).toBe(true);
});
