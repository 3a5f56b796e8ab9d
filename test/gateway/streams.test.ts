// Event streams: passed on event by event, filtered, and ended by the answer.
import { expect, test } from "vitest";
import {
  call,
  eventsIn,
  get,
  halfOpen,
  openStream,
  post,
  rpc,
} from "./client.ts";
import { answerWith, type Respond } from "./fake-server.ts";
import { runAhead, until } from "./until.ts";
import { endWorlds, openWorld } from "./world.ts";

endWorlds();

const event = (message: unknown, id?: string): string =>
  `${id === undefined ? "" : `id: ${id}\n`}data: ${JSON.stringify({ jsonrpc: "2.0", ...(message as object) })}\n\n`;
const RESULT = { id: 1, result: { content: [] } };
const MIB = 1024 * 1024;
const DAY = 24 * 3_600_000;
const CHANGED = { method: "notifications/tools/list_changed" };

test("each event is passed on when it comes, and none is held back", async () => {
  const steps: (() => void)[] = [];
  const { url } = await openWorld((_received, res) => {
    res.writeHead(200, { "content-type": "text/event-stream" });
    steps.push(
      () =>
        res.write(
          event({
            method: "notifications/progress",
            params: { progressToken: "p", progress: 1 },
          }),
        ),
      () => res.end(event(RESULT)),
    );
  });
  const stream = openStream(
    url,
    rpc("tools/call", {
      name: "read_file",
      arguments: {},
      _meta: { progressToken: "p" },
    }),
  );
  await until(() => steps.length === 2);
  steps[0]?.();
  await until(() => stream.pieces.length === 1);
  expect(stream.ended()).toBe(false);
  steps[1]?.();
  await until(() => stream.ended());
  expect(stream.pieces).toHaveLength(2);
});

test("the stream ends with the answer, whatever the server goes on to say", async () => {
  const { url, server } = await openWorld((_received, res) => {
    res.writeHead(200, { "content-type": "text/event-stream" });
    res.write(event(RESULT) + event(RESULT) + event(CHANGED));
  });
  const got = await post(url, call("read_file"));
  expect(got.events).toMatchObject([RESULT]);
  // A server that does not end its side is left after a moment.
  await until(() => server.received[0]?.aborted() === true);
});

test("a progress token of somebody else is not passed on", async () => {
  const { url } = await openWorld((_received, res) => {
    res.writeHead(200, { "content-type": "text/event-stream" });
    res.end(
      event({
        method: "notifications/progress",
        params: { progressToken: "other", progress: 1 },
      }) + event(RESULT),
    );
  });
  expect((await post(url, call("read_file"))).events).toMatchObject([RESULT]);
});

test("a request of the server is answered on a way of its own and never shown", async () => {
  let answered = (): void => {};
  const { url, server, records } = await openWorld((received, res) => {
    if (received.message?.method === undefined) {
      res.writeHead(202).end();
      return answered();
    }
    answered = () => res.end(event(RESULT));
    res.writeHead(200, { "content-type": "text/event-stream" });
    res.write(
      event({
        id: 1,
        method: "elicitation/create",
        params: { message: "your password?" },
      }),
    );
  });
  const got = await post(url, call("read_file"));
  expect(got.events).toMatchObject([RESULT]);
  expect(server.received[1]?.message).toEqual({
    jsonrpc: "2.0",
    id: 1,
    result: { action: "decline" },
  });
  expect(records.map((r) => [r.effect, r.method])).toEqual([
    ["allow", "tools/call"],
    ["deny", "elicitation/create"],
  ]);
});

test("the token is taken out of a stream, also when it is split over chunks", async () => {
  const { url } = await openWorld((received, res) => {
    const text = event({
      id: 1,
      result: {
        content: [{ type: "text", text: received.headers.authorization }],
      },
    });
    res.writeHead(200, { "content-type": "text/event-stream" });
    const middle = text.indexOf("tok-") + 6;
    res.write(text.slice(0, middle));
    setTimeout(() => res.end(text.slice(middle)), 30);
  });
  const got = await post(url, call("read_file"));
  expect(got.body).not.toContain("tok-");
  expect(got.body).toContain("[redacted]");
});

test("a stream without an end is none that `limits.call` ends", async () => {
  const { url, server } = await openWorld((_received, res) => {
    res.writeHead(200, { "content-type": "text/event-stream" });
    res.write(
      event({
        method: "notifications/subscriptions/acknowledged",
        params: {
          _meta: { "io.modelcontextprotocol/subscriptionId": 1 },
          notifications: {
            toolsListChanged: true,
            resourcesListChanged: true,
          },
        },
      }),
    );
  });
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const stream = openStream(
    url,
    rpc("subscriptions/listen", {
      notifications: { toolsListChanged: true, taskIds: ["x"] },
      _meta: meta,
    }),
    {
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "subscriptions/listen",
    },
  );
  await until(() => stream.pieces.length === 1);
  expect(server.received[0]?.message?.params?.["notifications"]).toEqual({
    toolsListChanged: true,
  });
  expect(stream.pieces[0]).not.toContain("resourcesListChanged");
  runAhead(DAY);
  // A call that starts now is ended by the same clock.
  server.respond(() => {});
  const late = post(url, call("read_file"));
  await until(() => server.received.length === 2);
  runAhead(2 * DAY);
  expect((await late).status).toBe(504);
  expect(stream.ended()).toBe(false);
  stream.stop();
  await until(() => server.received[0]?.aborted() === true);
});

const session: Respond = answerWith(
  { protocolVersion: "2025-11-25", capabilities: {} },
  { "mcp-session-id": "s" },
);
const openSession = async (url: string): Promise<string> =>
  String(
    (
      await post(
        url,
        rpc("initialize", {
          protocolVersion: "2025-11-25",
          capabilities: {},
          clientInfo: { name: "a", version: "1" },
        }),
      )
    ).headers["mcp-session-id"],
  );

test("a stream that broke off is taken up again under the server's own event id", async () => {
  const { url, server } = await openWorld(session);
  const id = await openSession(url);
  server.respond((received, res) => {
    res.writeHead(200, { "content-type": "text/event-stream" });
    if (received.method === "POST") {
      res.write("id: one\nretry: 5\ndata: \n\n");
    } else res.end(event(RESULT, "two"));
  });
  const first = openStream(url, call("read_file"), { "mcp-session-id": id });
  await until(() => first.pieces.join("").endsWith("\n\n"));
  server.breakOff();
  await until(() => first.ended());
  const text = first.pieces.join("");
  expect(eventsIn(text)).toEqual([]);
  expect(text).toContain("retry: 100\n");
  const sealed = /^id: (.*)$/m.exec(text)?.[1] ?? "";
  expect(sealed).not.toContain("one");
  const second = await get(url, {
    "mcp-session-id": id,
    "last-event-id": sealed,
  });
  expect(server.received.at(-1)?.headers["last-event-id"]).toBe("one");
  expect(second.events).toMatchObject([RESULT]);
  // Once answered, the same answer is not taken again.
  const third = await get(url, {
    "mcp-session-id": id,
    "last-event-id": sealed,
  });
  expect(third.events).toEqual([]);
});

test("an event id that was not given to this session reaches no server", async () => {
  const { url, server } = await openWorld(session);
  const [one, two] = [await openSession(url), await openSession(url)];
  server.respond((_received, res) => {
    res.writeHead(200, { "content-type": "text/event-stream" });
    res.end("id: secret-place\ndata: \n\n");
  });
  const first = await post(url, call("read_file"), {
    headers: { "mcp-session-id": one },
  });
  const sealed = /^id: (.*)$/m.exec(first.body)?.[1] ?? "";
  const sent = server.received.length;
  for (const guess of [sealed, "secret-place", `${sealed.slice(0, -2)}AA`])
    expect(
      (await get(url, { "mcp-session-id": two, "last-event-id": guess }))
        .status,
    ).toBe(400);
  expect(server.received).toHaveLength(sent);
});

test("a client that reads nothing stops the server, and is left in the end", async () => {
  let written = 0;
  const block = event({
    ...CHANGED,
    params: { _meta: { pad: "x".repeat(20_000) } },
  });
  const { url, server } = await openWorld(
    (_received, res) => {
      res.writeHead(200, { "content-type": "text/event-stream" });
      const more = (): void => {
        while (!res.destroyed && written < 256 * MIB) {
          written += block.length;
          if (!res.write(block)) return;
        }
      };
      res.on("drain", more);
      more();
    },
    // Node counts it twice when the kernel took a part of what waits.
    { bounds: { writeStall: 500 } },
  );
  const client = halfOpen(url, call("read_file"));
  await until(() => server.received[0]?.aborted() === true);
  // What the buffers of the kernel hold, however long they took to fill.
  expect(written).toBeLessThan(64 * MIB);
  client.destroy();
});
