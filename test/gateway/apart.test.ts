// Clients of one server stay apart, whatever ids and progress tokens they use, also before a server that mixes them up.
import { expect, test } from "vitest";
import { call, post, rpc } from "./client.ts";
import { fakeServer, type Received } from "./fake-server.ts";
import { openGateway } from "./open-gateway.ts";
import { until } from "./until.ts";

const echo = (received: Received) => ({
  content: [{ type: "text", text: JSON.stringify(received.message?.params) }],
});

test("fifty clients with equal ids and tokens at once each get their own answer", async () => {
  const waiting: (() => void)[] = [];
  const server = await fakeServer((received, res) => {
    waiting.push(() => {
      const { id, params } = received.message ?? {};
      const token = (
        params?.["_meta"] as { progressToken?: unknown } | undefined
      )?.progressToken;
      res.writeHead(200, { "content-type": "text/event-stream" });
      res.write(
        `data: ${JSON.stringify({ jsonrpc: "2.0", method: "notifications/progress", params: { progressToken: token, progress: 1, message: String(id) } })}\n\n`,
      );
      res.end(
        `data: ${JSON.stringify({ jsonrpc: "2.0", id, result: echo(received) })}\n\n`,
      );
    });
    // Nobody is answered before all have asked.
    if (waiting.length === 50) for (const answer of waiting) answer();
  });
  const open = await openGateway({ url: server.url });
  const got = await Promise.all(
    Array.from({ length: 50 }, (_, i) =>
      post(
        open.url,
        rpc(
          "tools/call",
          {
            name: "read_file",
            arguments: { n: i },
            _meta: { progressToken: 1 },
          },
          1,
        ),
      ),
    ),
  );
  for (const [i, { status, events }] of got.entries()) {
    expect(status).toBe(200);
    expect(events).toHaveLength(2);
    expect(events[0]?.["params"]).toMatchObject({ progressToken: 1 });
    expect(events[1]?.id).toBe(1);
    expect(JSON.stringify(events[1]?.result)).toContain(`\\"n\\":${i}}`);
  }
  // What reached the server was different for each.
  expect(
    new Set(server.received.map((r) => JSON.stringify(r.message?.id))).size,
  ).toBe(50);
  await open.gateway.close();
  await server.close();
});

test("an answer for another client is not taken for one's own", async () => {
  const asked: {
    readonly received: Received;
    readonly answer: (id: unknown) => void;
  }[] = [];
  const server = await fakeServer((received, res) => {
    asked.push({
      received,
      answer: (id) => {
        res.writeHead(200, { "content-type": "application/json" });
        res.end(JSON.stringify({ jsonrpc: "2.0", id, result: echo(received) }));
      },
    });
    if (asked.length < 2) return;
    // The mistake of a shared transport: each answer goes to the other.
    const [first, second] = asked;
    first?.answer(second?.received.message?.id);
    second?.answer(first?.received.message?.id);
  });
  const open = await openGateway({ url: server.url });
  const got = await Promise.all([
    post(open.url, call("read_file")),
    post(open.url, call("search_x")),
  ]);
  expect(got.map((g) => g.status)).toEqual([502, 502]);
  await open.gateway.close();
  await server.close();
});

test("a cancellation reaches the request it means, under the id that the server knows", async () => {
  const server = await fakeServer((received, res) => {
    if (received.message?.method === "notifications/cancelled")
      res.writeHead(202).end();
  });
  const open = await openGateway({
    url: server.url,
    agents: ["claude-code", "codex"],
    bounds: { closing: 100 },
  });
  const other = open.gateway.url("codex", "demo") ?? "";
  const first = post(open.url, call("read_file", {}, 7)).catch(() => null);
  await until(() => server.received.length === 1);
  const second = post(other, call("read_file", {}, 7)).catch(() => null);
  await until(() => server.received.length === 2);
  const cancel = JSON.stringify({
    jsonrpc: "2.0",
    method: "notifications/cancelled",
    params: { requestId: 7 },
  });
  expect((await post(other, cancel)).status).toBe(202);
  const [one, two, cancelled] = server.received.map((r) => r.message);
  expect(one?.id).toBe(7);
  expect(two?.id).not.toBe(7);
  expect(cancelled?.params).toEqual({ requestId: two?.id });
  await open.gateway.close();
  await Promise.all([first, second]);
  await server.close();
});

test("nobody cancels what another client waits for", async () => {
  const server = await fakeServer(() => {});
  const open = await openGateway({
    url: server.url,
    agents: ["claude-code", "codex"],
    bounds: { closing: 100 },
  });
  const waiting = post(open.url, call("read_file", {}, 7)).catch(() => null);
  await until(() => server.received.length === 1);
  const cancel = JSON.stringify({
    jsonrpc: "2.0",
    method: "notifications/cancelled",
    params: { requestId: 7 },
  });
  expect(
    (await post(open.gateway.url("codex", "demo") ?? "", cancel)).status,
  ).toBe(202);
  expect(server.received).toHaveLength(1);
  await open.gateway.close();
  await waiting;
  await server.close();
});
