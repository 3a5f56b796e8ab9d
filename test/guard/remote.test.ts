// A remote server behind a guard, in both eras: what it is sent, what comes back, and what the agent is told when nothing
// may.
import { afterEach, expect, test } from "vitest";
import {
  answerWith,
  fakeServer,
  OK_RESULT,
  type FakeServer,
  type Respond,
} from "../gateway/fake-server.ts";
import { until } from "../gateway/until.ts";
import {
  call,
  endGuards,
  INITIALIZE,
  MODERN,
  openGuard,
  TOKEN,
} from "./open-guard.ts";

endGuards();
const servers: FakeServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function open(respond?: Respond, options = {}) {
  const server = await fakeServer(respond);
  servers.push(server);
  return { server, ...(await openGuard({ url: server.url, ...options })) };
}

const event = (message: unknown, id?: string): string =>
  `${id === undefined ? "" : `id: ${id}\n`}data: ${JSON.stringify(message)}\n\n`;
const reply = (id: unknown, result: unknown) => ({
  jsonrpc: "2.0",
  id,
  result,
});
const EVENTS = { "content-type": "text/event-stream" };

/** A server of the older era with a session; `more` answers what it has no answer for. */
const legacy =
  (more: Respond = answerWith(OK_RESULT)): Respond =>
  (received, res) => {
    const { method, message } = received;
    if (message?.method === "initialize")
      return answerWith(
        {
          protocolVersion: "2025-06-18",
          capabilities: { tools: {}, prompts: {} },
          serverInfo: { name: "s", version: "1" },
        },
        { "mcp-session-id": "s-1" },
      )(received, res);
    if (method === "DELETE") return void res.writeHead(204).end();
    if (method === "GET" && received.headers["last-event-id"] === undefined)
      return void res.writeHead(405).end();
    return more(received, res);
  };

const opened = { jsonrpc: "2.0", method: "notifications/initialized" };

test("a session of the older era: its id, its version and the token go with every request, and it is ended", async () => {
  const world = await open(legacy());
  world.say(INITIALIZE, opened, call(1), call(2, "delete_all"));
  expect((await world.answerTo("init")).result?.["capabilities"]).toEqual({
    tools: {},
  });
  expect((await world.answerTo(1)).result?.["content"]).toEqual(
    OK_RESULT.content,
  );
  expect((await world.answerTo(2)).result?.["isError"]).toBe(true);
  await world.guard.close();
  const seen = world.server.received.map(({ method, message, headers }) => [
    message?.method ?? method,
    headers["mcp-session-id"],
    headers["mcp-protocol-version"],
    headers["authorization"],
  ]);
  const bearer = `Bearer ${TOKEN}`;
  expect(seen[0]).toEqual(["initialize", undefined, undefined, bearer]);
  expect(seen[1]).toEqual([
    "notifications/initialized",
    "s-1",
    "2025-06-18",
    bearer,
  ]);
  expect(seen.slice(2, 4).sort()).toEqual([
    ["GET", "s-1", "2025-06-18", bearer],
    ["tools/call", "s-1", "2025-06-18", bearer],
  ]);
  expect(seen.at(-1)).toEqual(["DELETE", "s-1", "2025-06-18", bearer]);
  expect(world.text()).not.toContain(TOKEN);
});

test("the newer era: each request carries its own version, its method and its name", async () => {
  const world = await open((received, res) =>
    received.message?.method === "tools/list"
      ? answerWith({
          resultType: "complete",
          ttlMs: 1,
          cacheScope: "public",
          tools: [
            {
              name: "read_file",
              inputSchema: {
                type: "object",
                properties: {
                  region: { type: "string", "x-mcp-header": "Region" },
                },
              },
            },
            { name: "delete_all", inputSchema: { type: "object" } },
          ],
        })(received, res)
      : answerWith({ resultType: "complete", ...OK_RESULT })(received, res),
  );
  world.say({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/list",
    params: { _meta: MODERN },
  });
  expect((await world.answerTo(1)).result?.["tools"]).toHaveLength(1);
  const { params, ...rest } = call(2, "read_file", { region: "eu" });
  world.say({ ...rest, params: { ...params, _meta: MODERN } });
  await world.answerTo(2);
  expect(world.server.received.map((r) => r.method)).toEqual(["POST", "POST"]);
  expect(world.server.received[1]?.headers).toMatchObject({
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": "tools/call",
    "mcp-name": "read_file",
    "mcp-param-region": "eu",
  });
  expect(world.server.received[1]?.headers["mcp-session-id"]).toBeUndefined();
});

test("events are passed on one by one, filtered, and the server's own requests are answered", async () => {
  const world = await open(
    legacy(({ message }, res) => {
      if (message?.method === undefined) return void res.writeHead(202).end();
      if (message.id === undefined) return void res.writeHead(202).end();
      res.writeHead(200, EVENTS);
      res.write(event({ jsonrpc: "2.0", id: 1, method: "roots/list" }));
      res.write(
        event({
          jsonrpc: "2.0",
          method: "notifications/progress",
          params: { progressToken: "p", progress: 1 },
        }),
      );
      res.write(event(reply(77, { tools: [{ name: "delete_all" }] })));
      res.end(event(reply(message.id, { content: [], note: TOKEN })));
    }),
  );
  world.say(INITIALIZE, opened);
  await world.answerTo("init");
  const { params, ...rest } = call(1);
  world.say({ ...rest, params: { ...params, _meta: { progressToken: "p" } } });
  expect((await world.answerTo(1)).result?.["note"]).toBe("[redacted]");
  expect(world.answers.map((a) => a.method ?? a.id)).toEqual([
    "init",
    "notifications/progress",
    1,
  ]);
  await until(() =>
    world.server.received.some(
      ({ message }) => message?.["error"] !== undefined,
    ),
  );
});

test("an answer that is spread over lines is one line, so that no part of it is a message", async () => {
  const inner = { jsonrpc: "2.0", id: 9, method: "sampling/createMessage" };
  const spread = (id: unknown, end: string): string =>
    `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":[],"structuredContent":${end}${JSON.stringify(inner)}${end}}}`;
  const world = await open(({ message }, res) => {
    if (message?.id === 3) {
      const text = spread(3, "\n").replaceAll("\n", "\ndata: ");
      return void res.writeHead(200, EVENTS).end(`data: ${text}\n\n`);
    }
    const end = message?.id === 1 ? "\r\n" : "\r";
    res.writeHead(200, JSON_TYPE).end(spread(message?.id, end));
  });
  for (const id of [1, 2, 3]) {
    world.say(call(id));
    expect((await world.answerTo(id)).result?.["structuredContent"]).toEqual(
      inner,
    );
  }
  expect(world.text()).not.toContain("\r");
  expect(world.text().match(/\n/g)).toHaveLength(3);
});

test("a stream that breaks off is taken up again behind its last event", async () => {
  const world = await open(
    legacy(({ method, headers, message }, res) => {
      if (message !== null && message.id === undefined)
        return void res.writeHead(202).end();
      res.writeHead(200, EVENTS);
      if (method === "POST")
        return void res.end("id: e-1\nretry: 100\ndata:\n\n");
      res.end(
        event(
          reply(1, {
            content: [{ type: "text", text: headers["last-event-id"] }],
          }),
        ),
      );
    }),
  );
  world.say(INITIALIZE, opened);
  await world.answerTo("init");
  world.say(call(1));
  expect((await world.answerTo(1)).result?.["content"][0].text).toBe("e-1");
});

test("what a server sends unasked comes on its own stream", async () => {
  const world = await open((received, res) => {
    if (received.method !== "GET") return legacy()(received, res);
    res.writeHead(200, EVENTS);
    res.write(
      event({ jsonrpc: "2.0", method: "notifications/tools/list_changed" }),
    );
    res.write(event(reply(1, { tools: [] })));
  });
  world.say(INITIALIZE, opened);
  await until(() =>
    world.answers.some((a) => a.method === "notifications/tools/list_changed"),
  );
  expect(world.answers.map((a) => a.id ?? a.method)).toEqual([
    "init",
    "notifications/tools/list_changed",
  ]);
});

const status =
  (code: number, headers: Record<string, string> = {}, body = ""): Respond =>
  (_received, res) =>
    void res.writeHead(code, headers).end(body);
const JSON_TYPE = { "content-type": "application/json" };

test.each([
  ["401", status(401, { "www-authenticate": "Bearer" }), "credentials"],
  ["403", status(403), "credentials"],
  ["a redirect", status(307, { location: "http://127.0.0.1:1/" }), "redirect"],
  ["an error of the server", status(503), "status 503"],
  [
    "a page",
    status(200, { "content-type": "text/html" }, "<p>"),
    "neither JSON",
  ],
  ["no JSON", status(200, JSON_TYPE, "hello"), "no valid JSON"],
  ["a list of answers", status(200, JSON_TYPE, "[]"), "several messages"],
  [
    "another's answer",
    status(200, JSON_TYPE, JSON.stringify(reply(5, OK_RESULT))),
    "no open request",
  ],
  [
    "a stream without an answer",
    status(200, EVENTS, ": nothing\n\n"),
    "without an answer",
  ],
  [
    "too much",
    status(200, JSON_TYPE, `"${"x".repeat(70_000)}"`),
    "limits.response",
  ],
])("%s is an error in words for the agent", async (_what, respond, words) => {
  const world = await open(respond, { limits: { response: 65_536 } });
  world.say(call(1));
  const { result } = await world.answerTo(1);
  expect(result?.["isError"]).toBe(true);
  expect(result?.["content"][0].text).toContain(words);
  expect(world.text()).not.toContain(TOKEN);
});

test("an error that a server gives with a status is passed on", async () => {
  const world = await open((received, res) =>
    status(
      404,
      JSON_TYPE,
      JSON.stringify({
        jsonrpc: "2.0",
        id: received.message?.id,
        error: { code: -32601, message: "Method not found" },
      }),
    )(received, res),
  );
  world.say({
    jsonrpc: "2.0",
    id: "d",
    method: "server/discover",
    params: { _meta: MODERN },
  });
  expect((await world.answerTo("d")).error).toEqual({
    code: -32601,
    message: "Method not found",
  });
});

test("a call that takes too long is broken off, and a cancelled one as well", async () => {
  const world = await open(
    legacy(({ message }, res) => {
      if (message?.id === undefined) res.writeHead(202).end();
    }),
    { limits: { call: 300 } },
  );
  world.say(INITIALIZE, opened);
  await world.answerTo("init");
  world.say(call(1));
  await until(() => world.server.received.some((r) => r.message?.id === 1));
  expect((await world.answerTo(1)).result?.["content"][0].text).toContain(
    "`limits.call`",
  );
  const first = world.server.received.find((r) => r.message?.id === 1);
  await until(() => first?.aborted() === true);
  world.say(call(2));
  await until(() => world.server.received.some((r) => r.message?.id === 2));
  world.say({
    jsonrpc: "2.0",
    method: "notifications/cancelled",
    params: { requestId: 2 },
  });
  await until(
    () =>
      world.server.received.find((r) => r.message?.id === 2)?.aborted() ===
      true,
  );
  const cancelled = () =>
    world.server.received
      .filter((r) => r.message?.method === "notifications/cancelled")
      .map((r) => r.message?.params?.["requestId"]);
  // It goes out on a connection of its own.
  await until(() => cancelled().length === 2);
  expect(cancelled()).toEqual([1, 2]);
});

test("a session that has ended ends the guard, so that the agent opens a new one", async () => {
  const world = await open(
    legacy(
      ({ message }, res) =>
        void res.writeHead(message?.id === undefined ? 202 : 404).end(),
    ),
  );
  world.say(INITIALIZE, opened);
  await world.answerTo("init");
  world.say(call(1));
  expect((await world.answerTo(1)).result?.["isError"]).toBe(true);
  expect((await world.guard.ended).kind).toBe("server");
});

test("a server that cannot be reached is an error, and so is one that breaks off", async () => {
  const world = await open(({ message }, res) => {
    if (message?.id === 1) res.socket?.destroy();
  });
  world.say(call(1));
  expect((await world.answerTo(1)).result?.["content"][0].text).toContain(
    "broke off",
  );
  await world.server.close();
  world.say(call(2));
  expect((await world.answerTo(2)).result?.["content"][0].text).toContain(
    "cannot be reached",
  );
});
