// What goes wrong on either side: one answer for each call, nothing of another's, and nothing left behind.
import { connect } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { gzipSync } from "node:zlib";
import { expect, test, vi } from "vitest";
import { openSink } from "../../src/audit/sink.ts";
import { testHost } from "../support/test-host.ts";
import { call, post, rpc } from "./client.ts";
import { answerWith, OK_RESULT, type Respond } from "./fake-server.ts";
import { TOKEN } from "./open-gateway.ts";
import { pause, until } from "./until.ts";
import { endWorlds, openWorld } from "./world.ts";

endWorlds();

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;
const MIB = 1024 * 1024;

const sse = (res: Parameters<Respond>[1]): void =>
  void res.writeHead(200, { "content-type": "text/event-stream" });

test.each<[string, Respond, number]>([
  [
    "a reset before the answer",
    (_r, res) => void res.socket?.resetAndDestroy(),
    502,
  ],
  [
    "bytes that are no HTTP",
    (_r, res) => void res.socket?.end("garbage\r\n\r\n"),
    502,
  ],
  [
    "status 500",
    (r, res) =>
      void res.writeHead(500).end(`Authorization: ${r.headers.authorization}`),
    502,
  ],
  [
    "an answer in gzip",
    (_r, res) =>
      void res
        .writeHead(200, {
          "content-type": "application/json",
          "content-encoding": "gzip",
        })
        .end(gzipSync("{}")),
    502,
  ],
  [
    "a page",
    (_r, res) =>
      void res.writeHead(200, { "content-type": "text/html" }).end("<html>"),
    502,
  ],
  [
    "text that is no JSON",
    (_r, res) =>
      void res
        .writeHead(200, { "content-type": "application/json" })
        .end("{oops"),
    502,
  ],
  [
    "bytes that are no UTF-8",
    (_r, res) =>
      void res
        .writeHead(200, { "content-type": "application/json" })
        .end(Buffer.from([0x22, 0xff, 0x22])),
    502,
  ],
  [
    "half an answer",
    (_r, res) => {
      res
        .writeHead(200, {
          "content-type": "application/json",
          "content-length": 500,
        })
        .write('{"jsonrpc"');
      setTimeout(() => res.socket?.resetAndDestroy(), 20);
    },
    502,
  ],
  [
    "nothing at all",
    (_r, res) =>
      void res.writeHead(200, { "content-type": "application/json" }).end(),
    502,
  ],
  ["202 to a request", (_r, res) => void res.writeHead(202).end(), 502],
  [
    "a redirect",
    (_r, res) =>
      void res.writeHead(307, { location: "https://evil.example/" }).end(),
    502,
  ],
  [
    "401",
    (_r, res) =>
      void res.writeHead(401, { "www-authenticate": "Bearer x" }).end(),
    502,
  ],
  [
    "403",
    (_r, res) =>
      void res.writeHead(403, { "www-authenticate": "Bearer x" }).end(),
    502,
  ],
  ["400 with words", (_r, res) => void res.writeHead(400).end("no"), 400],
  ["429", (_r, res) => void res.writeHead(429).end("slower"), 429],
])("%s becomes one answer with the id", async (_what, respond, status) => {
  const { url, server, records } = await openWorld(respond);
  const got = await post(url, call("read_file", {}, "an-id"));
  expect(got.status).toBe(status);
  expect(got.json).toMatchObject({
    id: "an-id",
    error: { data: { server: "demo" } },
  });
  expect(got.body + JSON.stringify(records)).not.toContain(TOKEN);
  expect(got.headers).not.toHaveProperty("www-authenticate");
  expect(got.headers).not.toHaveProperty("location");
  // The next call is not the worse for it.
  server.respond(answerWith(OK_RESULT));
  expect((await post(url, call("read_file"))).status).toBe(200);
});

test("an error of the protocol keeps its status and its code, so that a client finds its era", async () => {
  const { url } = await openWorld((received, res) => {
    res.writeHead(404, { "content-type": "application/json" });
    res.end(
      JSON.stringify({
        jsonrpc: "2.0",
        id: received.message?.id,
        error: { code: -32601, message: "Method not found" },
      }),
    );
  });
  const got = await post(
    url,
    rpc("server/discover", {
      _meta: {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
      },
    }),
    {
      headers: {
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": "server/discover",
      },
    },
  );
  expect([got.status, got.json?.error?.code]).toEqual([404, -32601]);
});

test("401 says what the user can do, and is no sign to sign in", async () => {
  const { url } = await openWorld((_r, res) => void res.writeHead(401).end());
  const got = await post(url, call("read_file"));
  expect(got.json?.error?.data?.["error"]).toBe("upstream_auth");
  expect(got.json?.error?.message).toContain("fenzi mcp token demo");
});

test("nothing is sent without the token that is asked for", async () => {
  const { url, server } = await openWorld(undefined, {
    token: null,
    ready: false,
  });
  const got = await post(url, call("read_file"));
  expect([got.status, got.json?.error?.data?.["error"]]).toEqual([
    502,
    "upstream_auth",
  ]);
  expect(server.received).toEqual([]);
});

test("a server that cannot be reached is said to be", async () => {
  const { url, server } = await openWorld();
  await server.close();
  const got = await post(url, call("read_file"));
  expect(got.status).toBe(502);
  expect(got.json?.error?.message).toContain("cannot be reached");
});

test("a server that hangs is left after `limits.call`", async () => {
  const { url, server } = await openWorld(() => {}, { limits: { call: 150 } });
  const got = await post(url, call("read_file"));
  expect([got.status, got.json?.error?.data?.["error"]]).toEqual([
    504,
    "upstream_timeout",
  ]);
  await until(() => server.received[0]?.aborted() === true);
});

test("a stream that hangs ends with an error after `limits.call`", async () => {
  const { url } = await openWorld(
    (_r, res) => {
      sse(res);
      res.write(": working\n\n");
    },
    { limits: { call: 150 } },
  );
  const got = await post(url, call("read_file"));
  expect(got.events).toMatchObject([
    { id: 1, error: { data: { error: "upstream_timeout" } } },
  ]);
});

test("a stream that breaks ends with an error, never as if it were complete", async () => {
  const { url } = await openWorld((_r, res) => {
    sse(res);
    res.write(
      'data: {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n\n',
    );
    setTimeout(() => res.socket?.resetAndDestroy(), 20);
  });
  const got = await post(url, call("read_file"));
  expect(got.events.at(-1)).toMatchObject({
    id: 1,
    error: { data: { error: "upstream_error" } },
  });
});

test("an answer of 100 MiB is not taken into memory", async () => {
  let written = 0;
  const { url, server } = await openWorld(
    (_r, res) => {
      res.writeHead(200, { "content-type": "application/json" });
      const block = Buffer.alloc(MIB, 0x20);
      const more = (): void => {
        while (!res.destroyed && written < 100 * MIB) {
          written += block.length;
          if (!res.write(block)) return;
        }
      };
      res.on("drain", more);
      more();
    },
    { limits: { response: 2 * MIB } },
  );
  const got = await post(url, call("read_file"));
  expect(got.status).toBe(502);
  await until(() => server.received[0]?.aborted() === true);
  expect(written).toBeLessThan(20 * MIB);
});

test("a list of 10,000 tools is filtered in good time", async () => {
  const tools = Array.from({ length: 10_000 }, (_, i) => ({
    name: i % 2 === 0 ? `search_${i}` : `other_${i}`,
    description: "Finds things. ".repeat(5),
    inputSchema: { type: "object", properties: { query: { type: "string" } } },
  }));
  const { url } = await openWorld(answerWith({ tools }));
  const started = performance.now();
  const got = await post(url, rpc("tools/list"));
  expect(got.json?.result?.["tools"]).toHaveLength(5_000);
  expect(performance.now() - started).toBeLessThan(5_000);
});

test("a client that goes away in the middle ends the call at the server", async () => {
  const { url, server, gateway } = await openWorld(() => {});
  const { hostname, port, host, pathname } = new URL(url);
  const body = call("read_file");
  const socket = connect(Number(port), hostname);
  socket.on("error", () => {});
  socket.write(
    `POST ${pathname} HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\naccept: */*\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
  await until(() => server.received.length === 1);
  socket.destroy();
  await until(() => server.received[0]?.aborted() === true, 1_000);
  const started = performance.now();
  await gateway.close();
  // Nothing is under way any more that closing would wait for.
  expect(performance.now() - started).toBeLessThan(90);
});

test("2,000 sessions cost little, and nothing after they have ended", async () => {
  const initialize: Respond = (received, res) =>
    received.method === "DELETE"
      ? void res.writeHead(200).end()
      : answerWith(
          { protocolVersion: "2025-11-25", capabilities: {} },
          { "mcp-session-id": "s" },
        )(received, res);
  const { url, server, gateway } = await openWorld(initialize);
  const body = rpc("initialize", {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "a", version: "1" },
  });
  const size = async (): Promise<number> => {
    await pause(50);
    collect();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  for (let i = 0; i < 50; i++) await post(url, body);
  server.received.length = 0;
  const before = await size();
  for (let i = 0; i < 2_000; i += 50)
    await Promise.all(Array.from({ length: 50 }, () => post(url, body)));
  server.received.length = 0;
  const cost = ((await size()) - before) / 2_000;
  expect(cost).toBeLessThan(20 * 1024);
  await gateway.close();
});

test("a full disk under the log refuses calls, and they go on when there is room", async () => {
  const host = testHost();
  let full = false;
  const { openAppend } = host.files;
  const sink = openSink(
    {
      ...host,
      files: {
        ...host.files,
        openAppend(path, mode) {
          const file = openAppend(path, mode);
          return {
            ...file,
            append(text) {
              if (full)
                throw Object.assign(new Error("full"), { code: "ENOSPC" });
              file.append(text);
            },
          };
        },
      },
    },
    { folder: `${host.root}/logs`, run: "r" },
  ).value;
  if (sink === null) throw new Error("no log");
  const { url, server } = await openWorld(undefined, {
    log: (record) => sink.write(record, { agent: "a", milliseconds: 0 }),
  });
  expect((await post(url, call("read_file"))).status).toBe(200);
  full = true;
  const refused = await post(url, call("read_file"));
  expect([refused.status, refused.json?.error?.code]).toEqual([403, 4030]);
  expect(server.received).toHaveLength(1);
  full = false;
  expect((await post(url, call("read_file"))).status).toBe(200);
  sink.close();
});

test("a clock that jumps changes no limit", async () => {
  const { url } = await openWorld(
    (received, res) =>
      void setTimeout(() => void answerWith(OK_RESULT)(received, res), 100),
    { limits: { call: 5_000 } },
  );
  const now = vi.spyOn(Date, "now");
  const waiting = post(url, call("read_file"));
  await pause(30);
  now.mockReturnValue(new Date("2040-01-01").getTime());
  expect((await waiting).status).toBe(200);
  now.mockReturnValue(0);
  expect((await post(url, call("read_file"))).status).toBe(200);
  now.mockRestore();
});

test("closing ends what is under way with an answer, and leaves no socket and no timer", async () => {
  const handles = () =>
    process
      .getActiveResourcesInfo()
      .filter((name) => /^(?:TCP|Timeout)/.test(name)).length;
  const before = handles();
  const { url, gateway, server } = await openWorld(() => {});
  const waiting = post(url, call("read_file"));
  await until(() => server.received.length === 1);
  const closed = gateway.close();
  await pause(20);
  await expect(post(url, call("read_file"))).rejects.toThrow();
  await closed;
  expect((await waiting).status).toBe(502);
  await server.close();
  await until(() => handles() <= before);
});
