// Mutated requests over real sockets: whatever comes, the gateway goes on, and the server gets nothing that the policy
// refuses, nothing that two programs read differently, and no header of the client. `npm run test:fuzz` runs many more.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { mutated } from "../support/mutate.ts";
import { mutatedHead } from "../support/mutate-head.ts";
import { slowMessage } from "../support/slow-message.ts";
import { call, post, raw, rpc } from "./client.ts";
import type { Received } from "./fake-server.ts";
import { TOKEN } from "./open-gateway.ts";
import { endWorlds, openWorld } from "./world.ts";

endWorlds();

const requests = Number(process.env["FUZZ_HTTP_REQUESTS"] ?? 800);
const seed = Number(process.env["FUZZ_SEED"] ?? 20261201);
/** Sent side by side. */
const AT_ONCE = 16;

const BODIES = [
  call("read_file", { path: "a" }, "x"),
  call("delete_all"),
  call("search_admin"),
  rpc("tools/list", {}),
  rpc("resources/read", { uri: "file:///" }),
  JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }),
  JSON.stringify({ jsonrpc: "2.0", id: 5, result: { action: "accept" } }),
];

/** As often as not the body is left alone, so that it is the head which decides. */
const body = fc.oneof(
  mutated(BODIES),
  fc.constantFrom(...BODIES.map((text) => Buffer.from(text))),
);

/** All that the gateway ever sends to a server. */
const SENT = new Set([
  "host",
  "connection",
  "accept",
  "accept-encoding",
  "user-agent",
  "authorization",
  "content-type",
  "content-length",
  "mcp-protocol-version",
  "mcp-method",
  "mcp-name",
]);

function check({ method, url, rawHeaders, headers, body }: Received): void {
  expect([method, url]).toEqual(["POST", "/mcp"]);
  const names = rawHeaders.filter((_, i) => i % 2 === 0);
  expect(new Set(names).size).toBe(names.length);
  expect(names.filter((name) => !SENT.has(name.toLowerCase()))).toEqual([]);
  expect(headers.authorization).toBe(`Bearer ${TOKEN}`);
  const message = slowMessage(Buffer.from(body));
  expect(message?.kind).toMatch(/^(?:request|notification)$/);
  if (message?.method === "tools/call")
    expect(message.toolName).toMatch(
      /^(?:read_file|search_(?!admin$)[A-Za-z0-9_.-]*)$/i,
    );
  else
    expect([
      "tools/list",
      "initialize",
      "notifications/initialized",
      "notifications/cancelled",
      "ping",
    ]).toContain(message?.method);
}

test("mutated requests reach the server only when they are allowed", async () => {
  const { url, server, records } = await openWorld();
  const { host, pathname } = new URL(url);
  let passed = 0;
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(mutatedHead, body), {
        minLength: AT_ONCE,
        maxLength: AT_ONCE,
      }),
      async (sent) => {
        const answers = await Promise.all(
          sent.map(([head, bytes]) => {
            const lines = [
              `POST ${pathname} HTTP/1.1`,
              `Host: ${host}`,
              "Content-Type: application/json",
              "Accept: application/json, text/event-stream",
              `Content-Length: ${bytes.length}`,
              "Connection: close",
            ];
            return raw(
              url,
              Buffer.concat([
                Buffer.from(head(pathname, lines), "latin1"),
                bytes,
              ]),
              // All of them close: a slow machine is no reason to leave early, and with a call under way.
              { end: true, quietAfter: 60_000 },
            );
          }),
        );
        for (const answer of answers) {
          expect(answer).toMatch(/^(?:HTTP\/1\.1 \d{3} |$)/);
          expect(answer).not.toContain(TOKEN);
          expect(answer.toLowerCase()).not.toContain("www-authenticate");
          if (!answer.startsWith("HTTP/1.1 2")) refused++;
        }
        for (const received of server.received) check(received);
        passed += server.received.length;
        // Each of them stands in the log, as allowed.
        expect(records.filter((r) => r.effect === "allow")).toHaveLength(
          server.received.length,
        );
        server.received.length = records.length = 0;
      },
    ),
    { numRuns: Math.ceil(requests / AT_ONCE), seed },
  );
  expect(passed).toBeGreaterThan(requests / 20);
  expect(refused).toBeGreaterThan(requests / 5);
  expect((await post(url, call("read_file"))).status).toBe(200);
});
