// Mutated messages: nothing crashes, no refused tool gets through, and the reading agrees with the slow one. A law, but
// of a piece that no command shows. `npm run test:fuzz` runs many more.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { readMessage } from "../../src/enforce/message.ts";
import { mutated } from "../support/mutate.ts";
import { slowMessage } from "../support/slow-message.ts";
import {
  call,
  exchange,
  forwarded,
  MODERN_META,
  passed,
  receive,
  result,
  roadOf,
  send,
  tool,
} from "../support/enforce-case.ts";

const runs = Number(process.env["FUZZ_RUNS"] ?? 4_000);
const seed = Number(process.env["FUZZ_SEED"] ?? 20261201);
const allowed = (name: unknown) =>
  name === "read_file" ||
  (typeof name === "string" &&
    /^search_[A-Za-z0-9_.-]*$/.test(name) &&
    name.length <= 128 &&
    name.toLowerCase() !== "search_admin");

const REQUESTS = [
  call("read_file"),
  call("delete_all"),
  call("search_admin"),
  call("read_file", {
    arguments: { path: "a", channel: 5e20 },
  }),
  call("search_x", { _meta: { progressToken: 1, ...MODERN_META } }),
  { jsonrpc: "2.0", id: "a", method: "tools/list", params: { cursor: "c" } },
  {
    jsonrpc: "2.0",
    id: 2,
    method: "resources/read",
    params: { uri: "file:///" },
  },
  {
    jsonrpc: "2.0",
    method: "notifications/cancelled",
    params: { requestId: 1 },
  },
  {
    jsonrpc: "2.0",
    id: 0,
    method: "initialize",
    params: {
      protocolVersion: "2025-06-18",
      capabilities: { roots: {} },
      clientInfo: {},
    },
  },
  { jsonrpc: "2.0", id: 5, result: { action: "accept" } },
].map((m) => JSON.stringify(m));

test("a request is read as the slow reading reads it, and only an allowed call goes on", () => {
  const road = roadOf();
  let went = 0;
  fc.assert(
    fc.property(mutated(REQUESTS), (bytes) => {
      const read = readMessage(bytes, { bytes: 4_194_304 });
      const slow = slowMessage(bytes);
      if (read.kind === "problem") expect(slow).toBeNull();
      else
        expect([read.kind, read.id, read.method, read.loneSurrogate]).toEqual([
          slow?.kind,
          slow?.id,
          slow?.method ?? "",
          slow?.loneSurrogate,
        ]);
      const verdict = send(road, bytes);
      if (verdict.kind === "answer") JSON.parse(verdict.answer.body);
      const text = forwarded(verdict);
      if (text === null) return;
      went++;
      const again = slowMessage(new TextEncoder().encode(text));
      expect(again?.method).toBe(slow?.method);
      expect(again?.id).toBe(slow?.id);
      expect(again?.toolName).toBe(slow?.toolName);
      expect(again?.argumentNames).toEqual(slow?.argumentNames);
      if (again?.method !== "tools/call") return;
      expect(allowed(again.toolName)).toBe(true);
      expect((JSON.parse(text) as ReturnType<typeof call>).params.name).toBe(
        again.toolName,
      );
    }),
    { numRuns: runs, seed },
  );
  expect(went).toBeGreaterThan(runs / 20);
});

const ANSWERS = [
  result({
    tools: [tool("read_file"), tool("delete_all"), tool("search_x")],
    nextCursor: "p2",
  }),
  result({ tools: [tool("read_file"), tool("read_file")], ttlMs: 5 }),
  result({ tools: [tool("read_file", { _meta: { ui: {} } })] }),
  [result({ tools: [tool("delete_all")] })],
  { jsonrpc: "2.0", id: 1, error: { code: -32000, message: "x" } },
].map((m) => JSON.stringify(m));

test("a list shows only allowed tools, whatever the server sends", () => {
  let shown = 0;
  fc.assert(
    fc.property(mutated(ANSWERS), (bytes) => {
      const text = Buffer.from(bytes).toString("utf8");
      const road = roadOf();
      const verdict = receive(road, text, exchange("tools/list"));
      const got = passed(verdict) as {
        readonly id: unknown;
        readonly result?: { readonly tools: { readonly name: unknown }[] };
      } | null;
      if (got === null) return;
      expect(got.id).toBe(1);
      for (const { name } of got.result?.tools ?? []) {
        shown++;
        expect(allowed(name)).toBe(true);
      }
    }),
    { numRuns: runs, seed },
  );
  expect(shown).toBeGreaterThan(runs / 20);
});

const TOKEN = "tok-live/0123456789+abcdef";
const SECRETS = [
  result({ content: [{ type: "text", text: `Bearer ${TOKEN}` }] }),
  result({ structuredContent: { [TOKEN]: [TOKEN, { a: TOKEN }] } }),
  {
    jsonrpc: "2.0",
    id: 1,
    error: { code: 1, message: TOKEN, data: { h: TOKEN } },
  },
].map((m) => JSON.stringify(m));

test("the server's own token never comes back in a string", () => {
  let redacted = 0;
  fc.assert(
    fc.property(mutated(SECRETS), (bytes) => {
      const road = roadOf({ allow: ["read_file"] }, [TOKEN]);
      const verdict = receive(
        road,
        Buffer.from(bytes).toString("utf8"),
        exchange("tools/call"),
      );
      const got = passed(verdict);
      if (got === null) return;
      const strings = stringsIn(got);
      expect(strings.filter((s) => s.toLowerCase().includes(TOKEN))).toEqual(
        [],
      );
      if (strings.some((s) => s.includes("[redacted"))) redacted++;
    }),
    { numRuns: Math.ceil(runs / 4), seed },
  );
  expect(redacted).toBeGreaterThan(0);
});

/** Names and values, at any depth. */
function stringsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [
    name,
    ...stringsIn(inner),
  ]);
}
