// A server behind a Unix socket: it is reached there and nowhere else, and only when the socket is the person's own.
import { once } from "node:events";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { call, post } from "./client.ts";
import { openGateway, TOKEN } from "./open-gateway.ts";

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function listen(): Promise<{
  readonly path: string;
  readonly seen: {
    readonly url: string;
    readonly headers: IncomingHttpHeaders;
  }[];
}> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "fenzi-socket-")));
  const path = join(folder, "mcp.sock");
  const seen: { url: string; headers: IncomingHttpHeaders }[] = [];
  const server = createServer((req, res) => {
    seen.push({ url: req.url ?? "", headers: req.headers });
    res.setHeader("content-type", "application/json");
    res.end(
      '{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"from the socket"}]}}',
    );
  }).listen(path);
  await once(server, "listening");
  ends.push(() => {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true });
  });
  return { path, seen };
}

async function open(url: string, more = "") {
  const world = await openGateway({
    url,
    machine: true,
    more: `    token: true\n${more}`,
  });
  ends.push(() => world.gateway.close());
  return world;
}

/** Whoever runs the tests owns the socket; root's need the key. */
const KEY = process.getuid?.() === 0 ? "    allowSystemSocket: true\n" : "";

test("a call reaches the server with its path, the token, and `localhost` as host", async () => {
  const { path, seen } = await listen();
  const { url, records } = await open(`"unix:${path}#/mcp?a=b"`, KEY);
  const got = await post(url, call("read_file", { path: "a.txt" }));
  expect(got.status).toBe(200);
  expect(JSON.stringify(got.json)).toContain("from the socket");
  expect(seen[0]?.url).toBe("/mcp?a=b");
  expect(seen[0]?.headers).toMatchObject({
    host: "localhost",
    authorization: `Bearer ${TOKEN}`,
  });
  expect(records[0]?.http).toBe(`POST ${path}#/mcp`);
});

test("a refused call does not reach it", async () => {
  const { path, seen } = await listen();
  const { url } = await open(`"unix:${path}#/mcp"`, KEY);
  expect((await post(url, call("search_admin", {}))).status).toBe(403);
  expect(seen).toEqual([]);
});

test.runIf(process.getuid?.() === 0)(
  "root's socket is not used without `allowSystemSocket`",
  async () => {
    const { path, seen } = await listen();
    const { url } = await open(`"unix:${path}#/mcp"`);
    const got = await post(url, call("read_file", { path: "a.txt" }));
    expect(got.status).toBe(502);
    expect(JSON.stringify(got.json)).toContain("allowSystemSocket");
    expect(seen).toEqual([]);
  },
);

test.each(["/nowhere/mcp.sock", "/dev/null"])(
  "where there is no socket the call fails: %s",
  async (path) => {
    const { url } = await open(`"unix:${path}#/mcp"`, KEY);
    const got = await post(url, call("read_file", { path: "a.txt" }));
    expect(got.status).toBe(502);
    expect(JSON.stringify(got.json)).toContain("cannot be reached");
  },
);
