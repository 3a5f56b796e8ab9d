// Public bug reports of other proxies and bridges, each as a small exchange that must come out right through the gateway.
// `MOOT` says why a report cannot concern it, or what shows it instead.
import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { call, get, post, rpc } from "../gateway/client.ts";
import { answerWith, OK_RESULT, type Respond } from "../gateway/fake-server.ts";
import { endWorlds, openWorld } from "../gateway/world.ts";

endWorlds();

const AREAS = [
  "policy",
  "pagination",
  "notifications",
  "progress",
  "cancellation",
  "server-requests",
  "session",
  "streaming",
  "headers",
  "framing",
];

const STDIO =
  "of standard input and output: test/adversarial/bug-reports-guard.test.ts";
const MOOT: Readonly<Record<string, string>> = {
  b085: "there is one form of a policy, and `test/laws/decide.test.ts` compares it with a plain reading of the rules",
  b090: "the gateway asks for no pages of its own; `mcp add` does, bounded (test/client)",
  b092: "one server stands behind an address, and its cursor is passed on as it is",
  b095: "one server stands behind an address, and the list that changed is the one that is shown",
  b099: "`limits.call` is absolute: progress neither extends it nor is needed for it",
  b112: "reconnecting is the client's; a new GET after a broken one is opened (test/gateway/sessions.test.ts)",
  b115: "a second stream of a session is refused with 409, so that nobody takes it over; a broken one is gone at once (test/gateway/sessions.test.ts)",
  b127: STDIO,
  b128: STDIO,
  b131: STDIO,
  b132: STDIO,
  b133: STDIO,
  b150: "of importing: `env` of a remote server is a key that is dropped with a reason (test/adversarial/bug-reports.test.ts)",
};

const tools = (...names: readonly string[]) =>
  names.map((name) => ({ name, inputSchema: { type: "object" } }));
const INITIALIZE = rpc("initialize", {
  protocolVersion: "2025-11-25",
  capabilities: { sampling: {}, elicitation: {} },
  clientInfo: { name: "a", version: "1" },
});
const opening: Respond = answerWith(
  { protocolVersion: "2025-11-25", capabilities: {} },
  { "mcp-session-id": "s" },
);
const openSession = async (url: string): Promise<string> =>
  String((await post(url, INITIALIZE)).headers["mcp-session-id"]);

test("b084: an array is refused, whatever is in it, also nothing", async () => {
  const { url, server } = await openWorld();
  for (const body of ["[]", `[${rpc("ping")}]`])
    expect((await post(url, body)).status).toBe(400);
  expect(server.received).toEqual([]);
});

test("b087: the name in a header grants nothing", async () => {
  const { url, server } = await openWorld();
  const got = await post(url, call("delete_all"), {
    headers: { "mcp-name": "read_file" },
  });
  expect(got.status).toBe(400);
  expect(server.received).toEqual([]);
});

test("b089: a cursor reaches the server as it is", async () => {
  const { url, server } = await openWorld(
    answerWith({ tools: tools("delete_all"), nextCursor: "9" }),
  );
  const got = await post(url, rpc("tools/list", { cursor: "8" }));
  expect(server.received[0]?.message?.params).toEqual({ cursor: "8" });
  expect(got.json?.result).toMatchObject({ tools: [], nextCursor: "9" });
});

test("b091: an empty cursor is one, as the protocol says, and stays", async () => {
  const { url } = await openWorld(answerWith({ tools: [], nextCursor: "" }));
  expect(
    (await post(url, rpc("tools/list"))).json?.result?.["nextCursor"],
  ).toBe("");
});

test("b102: an id is compared by type and value", async () => {
  const { url, server } = await openWorld((received, res) => {
    if (received.message?.id === undefined) res.writeHead(202).end();
    else setTimeout(() => void answerWith(OK_RESULT)(received, res), 300);
  });
  const waiting = post(url, call("read_file", {}, 7));
  await new Promise((resolve) => setTimeout(resolve, 100));
  const cancel = (requestId: unknown) =>
    post(
      url,
      JSON.stringify({
        jsonrpc: "2.0",
        method: "notifications/cancelled",
        params: { requestId },
      }),
    );
  await cancel("7");
  expect(server.received).toHaveLength(1);
  await cancel(7);
  expect(server.received).toHaveLength(2);
  await waiting;
});

test("b104: the server is not told that its requests would be answered", async () => {
  const { url, server } = await openWorld(opening);
  await post(url, INITIALIZE);
  expect(server.received[0]?.message?.params?.["capabilities"]).toEqual({});
});

test.each([
  ["b105: a forgotten session is the client's to open again", 404, 404],
  ["b106: a call that failed is not sent again", 500, 502],
])("%s", async (_what, status, given) => {
  const { url, server } = await openWorld(opening);
  const session = await openSession(url);
  server.respond((_received, res) => void res.writeHead(status).end());
  const got = await post(url, call("read_file"), {
    headers: { "mcp-session-id": session },
  });
  expect(got.status).toBe(given);
  expect(server.received).toHaveLength(2);
});

test("b113: a stream that breaks again before any event is taken up where it was", async () => {
  const { url, server } = await openWorld(opening);
  const session = await openSession(url);
  let gets = 0;
  server.respond((received, res) => {
    if (received.method === "DELETE") return void res.writeHead(200).end();
    res.writeHead(200, { "content-type": "text/event-stream" });
    if (received.method === "POST") return void res.end("id: e1\ndata: \n\n");
    if (++gets === 1) return void res.end();
    res.end(
      `id: e2\ndata: ${JSON.stringify({ jsonrpc: "2.0", id: 1, result: OK_RESULT })}\n\n`,
    );
  });
  const first = await post(url, call("read_file"), {
    headers: { "mcp-session-id": session },
  });
  const id = /^id: (.*)$/m.exec(first.body)?.[1] ?? "";
  const resume = () =>
    get(url, { "mcp-session-id": session, "last-event-id": id });
  expect((await resume()).events).toEqual([]);
  expect((await resume()).events).toMatchObject([{ id: 1 }]);
  expect(
    server.received
      .filter((r) => r.method === "GET")
      .map((r) => r.headers["last-event-id"]),
  ).toEqual(["e1", "e1"]);
});

test("b117 b169: a server that comes back is used again, and what was under way is an error at once", async () => {
  const { url, server } = await openWorld(
    (_received, res) => void res.socket?.resetAndDestroy(),
  );
  expect((await post(url, call("read_file"))).status).toBe(502);
  server.respond(answerWith(OK_RESULT));
  expect((await post(url, call("read_file"))).status).toBe(200);
});

test("b135 b136: events end with CRLF, and bytes are counted, not characters", async () => {
  const text = "é 😀 ".repeat(100);
  const { url } = await openWorld((_received, res) => {
    res.writeHead(200, { "content-type": "text/event-stream" });
    const bytes = Buffer.from(
      `event: message\r\ndata: ${JSON.stringify({ jsonrpc: "2.0", id: 1, result: { content: [{ type: "text", text }] } })}\r\n\r\n`,
    );
    res.write(bytes.subarray(0, 101));
    setTimeout(() => res.end(bytes.subarray(101)), 20);
  });
  const got = await post(url, call("read_file"));
  expect(got.events[0]?.result).toMatchObject({ content: [{ text }] });
});

test("every report of these areas is a test or has a reason, and no reason is left over", () => {
  const own = readFileSync(
    "test/adversarial/bug-reports-gateway.test.ts",
    "utf8",
  );
  const tested = (id: string) =>
    new RegExp(`^(?:test\\(| +\\[)"[^"\\n]*\\b${id}\\b`, "m").test(own);
  for (const id of Object.keys(MOOT)) expect(tested(id), id).toBe(false);
  const file = "../shared/cases/bug-reports.jsonl";
  if (!existsSync(file)) return;
  const unanswered = readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as { id: string; area: string })
    .filter(
      ({ id, area }) =>
        AREAS.includes(area) && !tested(id) && MOOT[id] === undefined,
    )
    .map(({ id }) => id);
  expect(unanswered).toEqual([]);
});
