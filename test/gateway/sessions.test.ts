// Sessions of the older era: the client's id is the gateway's own, the server's stays behind it.
import { expect, test } from "vitest";
import { BOUNDS } from "../../src/gateway/bounds.ts";
import { call, get, post, rpc, type Got } from "./client.ts";
import { answerWith, OK_RESULT, type Respond } from "./fake-server.ts";
import { runAhead, until } from "./until.ts";
import { endWorlds, openWorld } from "./world.ts";

endWorlds();

const INITIALIZE = rpc("initialize", {
  protocolVersion: "2025-11-25",
  capabilities: { sampling: {} },
  clientInfo: { name: "a", version: "1" },
});

let opened = 0;
const ordinary: Respond = (received, res) => {
  if (received.method === "DELETE") return void res.writeHead(200).end();
  if (received.method === "GET") {
    res.writeHead(200, { "content-type": "text/event-stream" });
    return res.flushHeaders();
  }
  return received.message?.method === "initialize"
    ? answerWith(
        {
          protocolVersion: "2025-11-25",
          capabilities: { tools: {}, resources: {}, logging: {} },
          serverInfo: { name: "fake", version: "1" },
        },
        { "mcp-session-id": `upstream-${++opened}` },
      )(received, res)
    : answerWith(OK_RESULT)(received, res);
};

const sessionOf = (got: Got): string => String(got.headers["mcp-session-id"]);
const within = (session: string, headers: Record<string, string> = {}) => ({
  headers: { "mcp-session-id": session, ...headers },
});
const end = (url: string, session: string) =>
  post(url, "", {
    method: "DELETE",
    headers: { "mcp-session-id": session, "content-type": null },
  });

test("the client gets an id of the gateway's; the server gets its own back", async () => {
  const { url, server } = await openWorld(ordinary);
  const first = await post(url, INITIALIZE);
  expect(sessionOf(first)).toMatch(/^[0-9a-f-]{36}$/);
  // What cannot be used is neither announced to the server nor to the client.
  expect(server.received[0]?.message?.params?.["capabilities"]).toEqual({});
  expect(first.json?.result?.["capabilities"]).toEqual({ tools: {} });
  const done = JSON.stringify({
    jsonrpc: "2.0",
    method: "notifications/initialized",
  });
  expect((await post(url, done, within(sessionOf(first)))).status).toBe(202);
  expect(
    (
      await post(
        url,
        call("read_file"),
        within(sessionOf(first), { "mcp-protocol-version": "2025-11-25" }),
      )
    ).status,
  ).toBe(200);
  expect(
    server.received.slice(1).map((r) => r.headers["mcp-session-id"]),
  ).toEqual([`upstream-${opened}`, `upstream-${opened}`]);
  expect(server.received[2]?.headers["mcp-protocol-version"]).toBe(
    "2025-11-25",
  );
});

test("DELETE ends it here and at the server, once", async () => {
  const { url, server } = await openWorld(ordinary);
  const session = sessionOf(await post(url, INITIALIZE));
  expect((await end(url, session)).status).toBe(204);
  expect((await end(url, session)).status).toBe(404);
  expect((await post(url, rpc("tools/list"), within(session))).status).toBe(
    404,
  );
  expect(
    server.received
      .filter((r) => r.method === "DELETE")
      .map((r) => r.headers["mcp-session-id"]),
  ).toEqual([`upstream-${opened}`]);
});

test("one stream a session: a second GET is refused, and the first goes on", async () => {
  const { url, server } = await openWorld(ordinary);
  const session = sessionOf(await post(url, INITIALIZE));
  const first = get(url, { "mcp-session-id": session });
  await until(() => server.received.some((r) => r.method === "GET"));
  expect((await get(url, { "mcp-session-id": session })).status).toBe(409);
  expect(server.received.filter((r) => r.method === "GET")).toHaveLength(1);
  expect(server.received.find((r) => r.method === "GET")?.aborted()).toBe(
    false,
  );
  expect((await end(url, session)).status).toBe(204);
  expect((await first).status).toBe(200);
});

test("a client that comes back after its stream broke gets a new one", async () => {
  const { url, server } = await openWorld(ordinary);
  const session = sessionOf(await post(url, INITIALIZE));
  const { request } = await import("node:http");
  const req = request(url, {
    headers: { accept: "text/event-stream", "mcp-session-id": session },
  });
  req.on("error", () => {});
  req.end();
  await until(() => server.received.some((r) => r.method === "GET"));
  req.destroy();
  await until(() =>
    server.received.some((r) => r.method === "GET" && r.aborted()),
  );
  void get(url, { "mcp-session-id": session }).catch(() => null);
  await until(
    () => server.received.filter((r) => r.method === "GET").length === 2,
  );
});

test.each([
  ["GET without a session", "GET", {}],
  ["GET in the newer era", "GET", { "mcp-protocol-version": "2026-07-28" }],
  ["DELETE without a session", "DELETE", {}],
  ["a page's GET", "GET", { accept: "text/html" }],
])("%s is not offered", async (_what, method, headers) => {
  const { url, server } = await openWorld(ordinary);
  const got = await post(url, "", {
    method,
    headers: { "content-type": null, ...headers },
  });
  expect([got.status, got.headers.allow]).toEqual([405, "POST"]);
  expect(server.received).toEqual([]);
});

test("a server without streams of its own is silent about it", async () => {
  const { url } = await openWorld((received, res) =>
    received.method === "GET"
      ? void res.writeHead(405).end()
      : ordinary(received, res),
  );
  const session = sessionOf(await post(url, INITIALIZE));
  const got = await get(url, { "mcp-session-id": session });
  expect([got.status, got.headers.allow]).toEqual([405, "POST"]);
});

test("a session that the server has forgotten ends here too", async () => {
  const { url, server } = await openWorld(ordinary);
  const session = sessionOf(await post(url, INITIALIZE));
  server.respond((_received, res) => void res.writeHead(404).end("gone"));
  expect((await post(url, call("read_file"), within(session))).status).toBe(
    404,
  );
  const sent = server.received.length;
  expect((await post(url, call("read_file"), within(session))).status).toBe(
    404,
  );
  expect(server.received).toHaveLength(sent);
});

test("an unused session makes room for a new one, and is ended at its server", async () => {
  const { url, server } = await openWorld(ordinary, {
    bounds: { sessions: 2, sessionsOfClient: 2 },
  });
  const first = sessionOf(await post(url, INITIALIZE));
  const second = sessionOf(await post(url, INITIALIZE));
  expect((await post(url, INITIALIZE)).status).toBe(503);
  runAhead(BOUNDS.sessionIdle + 1);
  await post(url, call("read_file"), within(second));
  expect((await post(url, INITIALIZE)).status).toBe(200);
  await until(() => server.received.some((r) => r.method === "DELETE"));
  expect((await post(url, call("read_file"), within(first))).status).toBe(404);
  expect((await post(url, call("read_file"), within(second))).status).toBe(200);
});

test("the gateway's end is the end of its sessions at their servers", async () => {
  const { url, server, gateway } = await openWorld(ordinary);
  await post(url, INITIALIZE);
  await post(url, INITIALIZE);
  await gateway.close();
  expect(server.received.filter((r) => r.method === "DELETE")).toHaveLength(2);
});
