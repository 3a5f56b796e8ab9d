// The cases of the shared file that are told in steps, by id. Each fails by an exception.
import { connect } from "node:net";
import { expect } from "vitest";
import { call, get, post, rpc, type Got } from "../gateway/client.ts";
import { until } from "../gateway/until.ts";
import {
  answerWith,
  OK_RESULT,
  type FakeServer,
} from "../gateway/fake-server.ts";
import type { OpenGateway } from "../gateway/open-gateway.ts";
import { answerFor, PIN_STEPS } from "./pin-steps.ts";

interface World {
  readonly server: FakeServer;
  readonly open: OpenGateway;
}

const INITIALIZE = rpc("initialize", {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "a", version: "1" },
});

async function openSession(url: string): Promise<string> {
  const got = await post(url, INITIALIZE);
  expect(got.status).toBe(200);
  const id = got.headers["mcp-session-id"];
  if (typeof id !== "string") throw new Error("no session");
  return id;
}

const inSession = (url: string, session: string, body: string): Promise<Got> =>
  post(url, body, { headers: { "mcp-session-id": session } });

const end = (url: string, session: string): Promise<Got> =>
  post(url, "", {
    method: "DELETE",
    headers: { "content-type": null, "mcp-session-id": session },
  });

/** A POST whose answer is not waited for; gives the socket. */
function openPost(url: string, body: string) {
  const { hostname, port, host, pathname } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => {});
  socket.write(
    `POST ${pathname} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  return socket;
}

const MODERN = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};

export const STEPS: Readonly<Record<string, (world: World) => Promise<void>>> =
  {
    async "http-shape-27"({ open: { url }, server }) {
      for (const id of ["__proto__", "constructor"]) {
        const got = await post(url, call("read_file", {}, id));
        expect(got.status).toBe(200);
        expect(got.json?.id).toBe(id);
      }
      expect(server.received).toHaveLength(2);
    },
    async "http-shape-29"({ open }) {
      const urls = ["claude-code", "codex"].map(
        (agent) => open.gateway.url(agent, "demo") ?? "",
      );
      const got = await Promise.all([
        post(urls[0] ?? "", call("read_file", {}, 1)),
        post(urls[1] ?? "", call("search_code", {}, 1)),
      ]);
      expect(got.map((g) => g.status)).toEqual([200, 200]);
      expect(
        got.map((g) => JSON.stringify(g.json?.result).includes("read_file")),
      ).toEqual([true, false]);
    },
    async "http-sse-18"({ open: { url }, server }) {
      const session = await openSession(url);
      server.respond((received, res) => {
        res.writeHead(200, { "content-type": "text/event-stream" });
        if (received.method !== "GET")
          return void res.end("id: e1\nretry: 500\ndata: \n\n");
        expect(received.headers["last-event-id"]).toBe("e1");
        res.end(
          `id: e2\ndata: ${JSON.stringify({ jsonrpc: "2.0", id: 1, result: { tools: ["read_file", "delete_all"].map((name) => ({ name, inputSchema: { type: "object" } })) } })}\n\n`,
        );
      });
      const first = await inSession(url, session, rpc("tools/list"));
      expect(first.status).toBe(200);
      expect(first.events).toEqual([]);
      const id = /^id: (.*)$/m.exec(first.body)?.[1] ?? "";
      const second = await get(url, {
        "mcp-session-id": session,
        "last-event-id": id,
      });
      expect(second.events.map((e) => e.result?.["tools"])).toMatchObject([
        [{ name: "read_file" }],
      ]);
      expect(second.body).not.toContain("delete_all");
    },
    async "http-sse-19"({ open: { url }, server }) {
      const session = await openSession(url);
      server.respond((_received, res) => {
        res.writeHead(200, { "content-type": "text/event-stream" });
        res.end(
          `data: {"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"delete_all"}]}}\n\n`,
        );
      });
      const got = await get(url, { "mcp-session-id": session });
      expect(got.status).toBe(200);
      expect(got.events).toEqual([]);
    },
    async "http-session-02"({ open: { url }, server }) {
      const got = await inSession(
        url,
        "00000000-0000-0000-0000-000000000000",
        rpc("tools/list"),
      );
      expect(got.status).toBe(404);
      expect(server.received).toEqual([]);
    },
    async "http-session-06"({ open: { url }, server }) {
      const session = await openSession(url);
      server.respond((received, res) =>
        answerWith(OK_RESULT, { "mcp-session-id": "upstream-2" })(
          received,
          res,
        ),
      );
      const got = await inSession(url, session, call("read_file"));
      expect(got.status).toBe(200);
      expect(got.headers).not.toHaveProperty("mcp-session-id");
      await inSession(url, session, call("read_file", {}, 2));
      expect(server.received.at(-1)?.headers["mcp-session-id"]).toBe(
        "upstream-1",
      );
    },
    async "http-session-07"({ open: { url }, server }) {
      for (const id of ["a\u0080b", "a b", "x".repeat(5_000)]) {
        server.respond((received, res) =>
          answerWith(
            { protocolVersion: "2025-11-25", capabilities: {} },
            { "mcp-session-id": id },
          )(received, res),
        );
        const got = await post(url, INITIALIZE);
        expect(got.status).toBe(502);
        expect(got.headers).not.toHaveProperty("mcp-session-id");
      }
    },
    async "http-session-08"({ open: { url }, server }) {
      const got = await post(
        url,
        rpc("tools/call", { name: "read_file", arguments: {}, _meta: MODERN }),
        {
          headers: {
            "mcp-session-id": "anything",
            "mcp-protocol-version": "2026-07-28",
            "mcp-method": "tools/call",
            "mcp-name": "read_file",
          },
        },
      );
      expect(got.status).toBe(200);
      expect(server.received[0]?.headers).not.toHaveProperty("mcp-session-id");
    },
    async "http-session-09"({ open, server }) {
      const session = await openSession(open.url);
      const got = await end(open.gateway.url("codex", "demo") ?? "", session);
      expect(got.status).toBe(404);
      expect(server.received.filter((r) => r.method === "DELETE")).toEqual([]);
      expect(
        (await inSession(open.url, session, rpc("tools/list"))).status,
      ).toBe(200);
    },
    async "http-session-10"({ open: { url }, server }) {
      const session = await openSession(url);
      expect((await end(url, session)).status).toBe(204);
      const sent = server.received.length;
      expect((await inSession(url, session, rpc("tools/list"))).status).toBe(
        404,
      );
      expect(server.received).toHaveLength(sent);
      expect(server.received.filter((r) => r.method === "DELETE")).toHaveLength(
        1,
      );
    },
    async "http-session-11"({ open: { url }, server }) {
      const kept = await openSession(url);
      const counts = new Map<number, number>();
      for (let done = 0; done < 5_000; done += 50) {
        const got = await Promise.all(
          Array.from({ length: 50 }, () => post(url, INITIALIZE)),
        );
        for (const { status } of got)
          counts.set(status, (counts.get(status) ?? 0) + 1);
      }
      expect([...counts.keys()].sort()).toEqual([200, 503]);
      expect(server.received).toHaveLength((counts.get(200) ?? 0) + 1);
      expect((await inSession(url, kept, rpc("tools/list"))).status).toBe(200);
    },
    async "http-dos-01"({ open: { url }, server }) {
      const { hostname, port } = new URL(url);
      const socket = connect(Number(port), hostname);
      let text = "";
      socket.on("data", (chunk: Buffer) => (text += chunk.toString()));
      socket.on("error", () => {});
      socket.write("POST");
      const drip = setInterval(() => socket.write(" "), 200);
      await until(() => socket.destroyed);
      clearInterval(drip);
      expect(text).toMatch(/^HTTP\/1\.1 408 /);
      expect(server.received).toEqual([]);
    },
    async "http-dos-02"({ open: { url }, server }) {
      const { hostname, port, host, pathname } = new URL(url);
      const socket = connect(Number(port), hostname);
      let text = "";
      socket.on("data", (chunk: Buffer) => (text += chunk.toString()));
      socket.on("error", () => {});
      socket.write(
        `POST ${pathname} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: 1000\r\n\r\n`,
      );
      const drip = setInterval(() => socket.write("{"), 200);
      await until(() => socket.destroyed);
      clearInterval(drip);
      expect(text).toMatch(/^HTTP\/1\.1 408 /);
      expect(server.received).toEqual([]);
    },
    async "http-dos-03"({ open: { url }, server }) {
      let written = 0;
      server.respond((_received, res) => {
        res.writeHead(200, { "content-type": "text/event-stream" });
        const event = `data: ${JSON.stringify({ jsonrpc: "2.0", method: "notifications/tools/list_changed", params: { _meta: { pad: "x".repeat(10_000) } } })}\n\n`;
        const more = (): void => {
          while (!res.destroyed) {
            written += event.length;
            if (!res.write(event)) return;
          }
        };
        res.on("drain", more);
        more();
      });
      const before = process.memoryUsage().rss;
      const socket = openPost(url, call("read_file"));
      socket.pause();
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      expect(written).toBeLessThan(40 * 1024 * 1024);
      expect(process.memoryUsage().rss - before).toBeLessThan(80 * 1024 * 1024);
      socket.destroy();
      await until(() => server.received[0]?.aborted() === true);
    },
    async "http-dos-04"({ open: { url }, server }) {
      // Packets cannot be dropped here; a client that is gone for the gateway is one whose connection is reset.
      server.respond((_received, res) => {
        res.writeHead(200, { "content-type": "text/event-stream" });
        res.write(
          `data: {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n\n`,
        );
      });
      const socket = openPost(url, call("read_file"));
      await new Promise((resolve) => socket.once("data", resolve));
      socket.resetAndDestroy();
      await until(() => server.received[0]?.aborted() === true);
    },
    async "http-dos-06"({ open: { url }, server }) {
      server.respond(() => {});
      const socket = openPost(url, call("read_file"));
      await until(() => server.received.length === 1);
      await new Promise((resolve) => setTimeout(resolve, 200));
      socket.destroy();
      await until(() => server.received[0]?.aborted() === true, 5_000);
    },
    async "http-dos-07"({ open: { url }, server }) {
      server.respond((_received, res) => {
        res.writeHead(200, { "content-type": "text/event-stream" });
        res.write(
          `data: {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n\n`,
        );
      });
      const socket = openPost(url, call("read_file"));
      await new Promise((resolve) => socket.once("data", resolve));
      socket.destroy();
      await until(() => server.received[0]?.aborted() === true, 5_000);
    },
    async "http-dos-08"({ open: { url }, server }) {
      const { hostname, port, host, pathname } = new URL(url);
      const socket = connect(Number(port), hostname);
      socket.on("error", () => {});
      socket.write(
        `POST ${pathname} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: 91\r\n\r\n{"jsonrpc"`,
      );
      await new Promise((resolve) => setTimeout(resolve, 100));
      socket.resetAndDestroy();
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(server.received).toEqual([]);
      expect((await post(url, call("read_file"))).status).toBe(200);
    },
    async "http-dos-09"({ open: { url }, server }) {
      server.respond(
        (received, res) =>
          void setTimeout(() => void answerFor(received, res), 3_000),
      );
      const got = await Promise.all(
        Array.from({ length: 1_000 }, (_, i) =>
          post(url, call("read_file", {}, i)),
        ),
      );
      const statuses = got.map((g) => g.status);
      expect([...new Set(statuses)].sort()).toEqual([200, 503]);
      expect(server.received).toHaveLength(
        statuses.filter((s) => s === 200).length,
      );
      expect(got.find((g) => g.status === 503)?.headers["retry-after"]).toBe(
        "1",
      );
    },
    ...Object.fromEntries(
      Object.entries(PIN_STEPS).map(([id, steps]) => [
        id,
        ({ server, open: { url, records } }: World) =>
          steps({ server, records, ask: (body) => post(url, body) }),
      ]),
    ),
  };
