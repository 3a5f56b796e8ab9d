// One call through a real gateway to a server that records what it gets.
import { afterEach, expect, test } from "vitest";
import { call, post, rpc } from "./client.ts";
import {
  answerWith,
  fakeServer,
  OK_RESULT,
  type FakeServer,
} from "./fake-server.ts";
import {
  openGateway,
  TOKEN,
  type OpenGateway,
  type OpenOptions,
} from "./open-gateway.ts";

let server: FakeServer | null = null;
let open: OpenGateway | null = null;

async function world(
  options: Partial<OpenOptions> = {},
): Promise<{ server: FakeServer } & OpenGateway> {
  server = await fakeServer();
  open = await openGateway({
    url: server.url,
    more: "    token: true\n",
    ...options,
  });
  return { server, ...open };
}

afterEach(async () => {
  await open?.gateway.close();
  await server?.close();
  open = server = null;
});

test("an allowed call reaches the server with the token, and the answer comes back", async () => {
  const { server, url, records } = await world();
  const got = await post(url, call("read_file", { path: "a.txt" }), {
    headers: { authorization: "Bearer of-the-agent", cookie: "a=b" },
  });
  expect(got.status).toBe(200);
  expect(got.json?.result).toMatchObject(OK_RESULT);
  const [request] = server.received;
  expect(server.received).toHaveLength(1);
  expect(request?.headers.authorization).toBe(`Bearer ${TOKEN}`);
  expect(request?.headers).not.toHaveProperty("cookie");
  expect(request?.message?.params).toEqual({
    name: "read_file",
    arguments: { path: "a.txt" },
  });
  expect(records).toMatchObject([
    {
      agent: "claude-code",
      effect: "allow",
      method: "tools/call",
      tool: "read_file",
      arguments: ["path"],
    },
  ]);
});

test("a denied call is answered with the reason and never reaches the server", async () => {
  const { server, url, records } = await world();
  const got = await post(url, call("delete_all"));
  expect(got.status).toBe(403);
  expect(got.json?.error).toMatchObject({
    code: 4030,
    data: { error: "policy_denied", tool: "delete_all" },
  });
  expect(server.received).toEqual([]);
  expect(records).toMatchObject([{ effect: "deny", tool: "delete_all" }]);
});

test("a list shows only what may be called", async () => {
  const { server, url } = await world();
  const tools = ["read_file", "delete_all", "search_x", "search_admin"].map(
    (name) => ({
      name,
      inputSchema: { type: "object" },
    }),
  );
  server.respond(answerWith({ tools }));
  const got = await post(url, rpc("tools/list"));
  expect(got.json?.result?.["tools"]).toMatchObject([
    { name: "read_file" },
    { name: "search_x" },
  ]);
});

test("a call that cannot be logged is refused", async () => {
  const { server, url } = await world({ log: () => false });
  const got = await post(url, call("read_file"));
  expect(got.status).toBe(403);
  expect(server.received).toEqual([]);
});

test("a mistake of ours ends one request, as a refusal", async () => {
  let broken = true;
  const { server, url } = await world({
    log: () => {
      if (broken) throw new Error("never seen");
      return true;
    },
  });
  const got = await post(url, call("read_file"));
  expect([got.status, got.body]).toEqual([500, '{"error":"internal_error"}']);
  expect(server.received).toEqual([]);
  broken = false;
  expect((await post(url, call("read_file"))).status).toBe(200);
});
