// What goes wrong behind the gateway and in it: one answer for each call, and nothing left behind.
import { gzipSync } from "node:zlib";
import { expect, test, vi } from "vitest";
import { openSink } from "../../src/audit/sink.ts";
import { testHost } from "../support/test-host.ts";
import { call, eventsIn, openStream, post, rpc } from "./client.ts";
import { answerWith, OK_RESULT, type Respond } from "./fake-server.ts";
import { TOKEN } from "./open-gateway.ts";
import { pause, runAhead, until } from "./until.ts";
import { endWorlds, openWorld } from "./world.ts";

endWorlds();

const MIB = 1024 * 1024;

const MINUTE = 60_001;
const LIST_CHANGED =
  'data: {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n\n';

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
  const { url, server } = await openWorld(() => {});
  const waiting = post(url, call("read_file"));
  await until(() => server.received.length === 1);
  runAhead(MINUTE);
  const got = await waiting;
  expect([got.status, got.json?.error?.data?.["error"]]).toEqual([
    504,
    "upstream_timeout",
  ]);
  await until(() => server.received[0]?.aborted() === true);
});

test("a stream that hangs ends with an error after `limits.call`", async () => {
  const { url } = await openWorld((_r, res) => {
    sse(res);
    res.write(LIST_CHANGED);
  });
  const stream = openStream(url, call("read_file"));
  await until(() => stream.pieces.length === 1);
  runAhead(MINUTE);
  await until(() => stream.ended());
  expect(eventsIn(stream.pieces.join(""))).toMatchObject([
    { method: "notifications/tools/list_changed" },
    { id: 1, error: { data: { error: "upstream_timeout" } } },
  ]);
});

test("a stream that breaks ends with an error, never as if it were complete", async () => {
  const { url, server } = await openWorld((_r, res) => {
    sse(res);
    res.write(`${LIST_CHANGED}data: {"jsonrpc":"2.0","id":1,"resu`);
  });
  const stream = openStream(url, call("read_file"));
  await until(() => stream.pieces.length === 1);
  server.breakOff();
  await until(() => stream.ended());
  expect(eventsIn(stream.pieces.join(""))).toMatchObject([
    { method: "notifications/tools/list_changed" },
    { id: 1, error: { data: { error: "upstream_error" } } },
  ]);
});

test.each<[string, Record<string, string | number>, string]>([
  ["an answer", { "content-type": "application/json" }, ""],
  [
    "an answer that says so",
    { "content-type": "application/json", "content-length": 100 * MIB },
    "",
  ],
  ["an event", { "content-type": "text/event-stream" }, "data: "],
  ["a page", { "content-type": "text/html" }, ""],
])("%s of 100 MiB is not taken into memory", async (_what, headers, start) => {
  let written = 0;
  const { url, server } = await openWorld(
    (_r, res) => {
      res.writeHead(200, headers);
      res.write(start);
      const block = Buffer.alloc(MIB, 0x20);
      const more = (): void => {
        while (!res.destroyed && written < 99 * MIB) {
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
  expect(got.json ?? got.events[0]).toMatchObject({
    id: 1,
    error: { data: { error: "upstream_error" } },
  });
  await until(() => server.received[0]?.aborted() === true);
  expect(written).toBeLessThan(32 * MIB);
});

test.each(["application/json", "text/event-stream"])(
  "a list of 10,000 tools as %s is filtered and complete",
  async (type) => {
    const tools = Array.from({ length: 10_000 }, (_, i) => ({
      name: i % 2 === 0 ? `search_${i}` : `other_${i}`,
      description: `Finds things of kind ${i}. `.repeat(5),
      inputSchema: {
        type: "object",
        properties: { query: { type: "string" } },
      },
    }));
    const { url } = await openWorld(({ message }, res) => {
      const text = JSON.stringify({
        jsonrpc: "2.0",
        id: message?.id,
        result:
          message?.method === "tools/list"
            ? { tools, nextCursor: "more" }
            : { content: [] },
      });
      res.writeHead(200, { "content-type": type });
      res.end(type === "application/json" ? text : `data: ${text}\n\n`);
    });
    const got = await post(url, rpc("tools/list"));
    const { result } = got.json ?? got.events[0] ?? {};
    expect(result?.["tools"]).toEqual(
      tools.filter(({ name }) => name.startsWith("search_")),
    );
    expect(result?.["nextCursor"]).toBe("more");
    // None of them is forgotten, and none of the others is open for having been listed.
    expect((await post(url, call("search_9998"))).status).toBe(200);
    expect((await post(url, call("other_9999"))).status).toBe(403);
  },
);

test("a list that is larger than `limits.response` is an error, not a shorter list", async () => {
  const tools = Array.from({ length: 10_000 }, (_, i) => ({
    name: `search_${i}`,
    inputSchema: { type: "object" },
  }));
  const { url } = await openWorld(answerWith({ tools }), {
    limits: { response: 256 * 1024 },
  });
  const got = await post(url, rpc("tools/list"));
  expect([got.status, got.json?.error?.data?.["error"]]).toEqual([
    502,
    "upstream_error",
  ]);
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
    log: (record) =>
      sink.write(record, { agent: "a", milliseconds: 0 }) === true,
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

test("a wall clock that jumps ends no call early, and keeps none for longer", async () => {
  const { url, server, records } = await openWorld(() => {});
  const now = vi.spyOn(Date, "now");
  for (const year of ["2040", "1970"]) {
    const waiting = post(url, call("read_file"));
    const asked = server.received.length + 1;
    await until(() => server.received.length === asked);
    now.mockReturnValue(new Date(`${year}-01-01`).getTime());
    // It is looked at several times meanwhile.
    await pause(200);
    expect(server.received.at(-1)?.aborted()).toBe(false);
    const { message } = server.received.at(-1) ?? {};
    expect(message).toBeDefined();
    runAhead(MINUTE * asked);
    expect((await waiting).status).toBe(504);
  }
  expect(records.map(({ effect }) => effect)).toEqual(["allow", "allow"]);
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
  await expect(post(url, call("read_file"))).rejects.toThrow();
  await closed;
  expect((await waiting).status).toBe(502);
  await server.close();
  await until(() => handles() <= before);
});
