// The network is not reached from a golden case, so the client is tested here, against real servers on loopback.
import { afterEach, expect, test } from "vitest";
import { askRemote, type Bounds } from "../../src/client/ask-server.ts";
import {
  startToolServer,
  tool,
  type ToolServer,
  type ToolServerOptions,
} from "./tool-server.ts";

let server: ToolServer | null = null;
afterEach(async () => {
  await server?.stop();
  server = null;
});

const bounds: Bounds = {
  milliseconds: 5_000,
  pages: 5,
  tools: 20,
  bytes: 100_000,
};

async function list(
  options: ToolServerOptions,
  headers: Readonly<Record<string, string>> = {},
  limits: Bounds = bounds,
) {
  server = await startToolServer(options);
  return askRemote({ url: server.url, headers }, limits);
}

const onePage = (...tools: readonly unknown[]) => ({ page: () => ({ tools }) });
const names = (found: Awaited<ReturnType<typeof list>>) =>
  "offer" in found ? found.offer.tools.map((t) => t.name) : found.problem;

test.each(["legacy", "modern"] as const)(
  "lists the tools of a server of the %s era",
  async (era) => {
    const found = await list({ era, ...onePage(tool("a"), tool("b")) });
    expect(found).toMatchObject({
      offer: {
        tools: [
          { name: "a", shown: "a", description: "a of the test" },
          { name: "b", source: JSON.stringify(tool("b")), problem: null },
        ],
        instructions: null,
      },
    });
    const methods = server?.requests().map((r) => r.method);
    expect(methods?.includes("initialize")).toBe(era === "legacy");
  },
);

test("sends the headers it is given with every request", async () => {
  const found = await list(
    { token: "t-1", ...onePage(tool("a")) },
    { Authorization: "Bearer t-1", "X-Team": "red" },
  );
  expect(names(found)).toEqual(["a"]);
  for (const { headers } of server?.requests() ?? []) {
    expect(headers.authorization).toBe("Bearer t-1");
    expect(headers["x-team"]).toBe("red");
  }
});

test("says that the server wants a token", async () => {
  expect(await list({ token: "t-1" })).toEqual({
    problem: "answers with HTTP 401 (it wants a token)",
    wantsToken: true,
  });
});

test("walks the pages", async () => {
  const found = await list({
    page: (cursor) =>
      cursor === undefined
        ? { tools: [tool("a"), tool("b")], nextCursor: "2" }
        : { tools: [tool("b"), tool("c")] },
  });
  expect(names(found)).toEqual(["a", "b", "b", "c"]);
});

test.each(["same", ""])("stops at the repeated cursor %j", async (c) => {
  const found = await list({
    page: () => ({ tools: [tool("a")], nextCursor: c }),
  });
  expect(names(found)).toEqual(["a", "a"]);
});

test("gives up on pages that never end", async () => {
  let n = 0;
  const found = await list({
    page: () => ({ tools: [], nextCursor: String(++n) }),
  });
  expect(names(found)).toBe("does not come to an end after 5 pages of tools");
});

test("gives up on too many tools", async () => {
  const many = Array.from({ length: 21 }, (_, i) => tool(`t${i}`));
  expect(names(await list(onePage(...many)))).toBe("lists more than 20 tools");
});

test("gives up on too many bytes", async () => {
  const found = await list(onePage(tool("a", "x".repeat(200_000))));
  expect(names(found)).toBe("sends more than can be a list of tools");
});

test("gives up on a server that does not answer", async () => {
  const found = await list(
    { answer: () => undefined },
    {},
    {
      ...bounds,
      milliseconds: 200,
    },
  );
  expect(names(found)).toBe("did not answer within 0.2 s");
});

test("follows no redirect", async () => {
  const found = await list({
    answer: (response) =>
      void response.writeHead(307, { location: "http://127.0.0.1:9/x" }).end(),
  });
  expect(names(found)).toBe(
    "redirects to `http://127.0.0.1:9/x`; a redirect is not followed",
  );
  expect(server?.requests().length).toBe(1);
});

test("says when nothing listens", async () => {
  server = await startToolServer();
  const { url } = server;
  await server.stop();
  server = null;
  expect(await askRemote({ url, headers: {} }, bounds)).toEqual({
    problem: "cannot be reached: nothing listens there",
    wantsToken: false,
  });
});

test("says when it is not an MCP server", async () => {
  const found = await list({
    answer: (response) =>
      void response.writeHead(200, { "content-type": "text/html" }).end("<p>"),
  });
  expect(names(found)).toBe("does not answer as an MCP server does");
});

test("a stream that a server does not offer is not what went wrong", async () => {
  const found = await list({
    era: "legacy",
    page: () => ({ tools: [{ name: 7 }] }),
  });
  expect(server?.requests().map((r) => r.method)).toContain("GET");
  expect(names(found)).toBe("does not answer as an MCP server does");
});

test.each([
  "http://169.254.169.254/mcp",
  "http://[fe80::1]/mcp",
  "http://0.0.0.0/mcp",
])("never contacts %s", async (url) => {
  const found = await askRemote({ url, headers: {} }, bounds);
  expect(names(found)).toContain("address, which is never contacted");
});

test("makes control and invisible characters visible, and keeps the name as it is", async () => {
  const found = await list(
    onePage(tool("a\u200bb", "one\n  two\u001b[2J \u202ethree")),
  );
  expect(found).toMatchObject({
    offer: {
      tools: [
        {
          name: "a\u200bb",
          shown: "a\\u{200b}b",
          description: "one two\\u{1b}[2J \\u{202e}three",
          problem: "its text has characters that nobody can see",
        },
      ],
    },
  });
});

test("a tool whose definition is odd is listed all the same", async () => {
  const found = await list(
    onePage({ name: "a", description: 7, inputSchema: "no" }, tool("b")),
  );
  expect(names(found)).toEqual(["a", "b"]);
});

test("takes a definition as it came, whatever a parser makes of it, from an event stream too", async () => {
  const source =
    '{ "name": "a", "inputSchema": {"type":"object","maximum":9223372036854775807}, "__proto__": {"x":1} }';
  for (const type of ["application/json", "text/event-stream"]) {
    const seen: { id: unknown; method: string }[] = [];
    server = await startToolServer({
      answer: (response) => {
        const { id, method } = seen.at(-1) ?? { id: 0, method: "" };
        const result =
          method === "initialize"
            ? '{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"t","version":"1"},"instructions":"Be kind"}'
            : `{"tools":[${source}]}`;
        if (id === undefined) return void response.writeHead(202).end();
        if (method === "server/discover")
          return void response.writeHead(404).end();
        const body = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`;
        response
          .writeHead(200, { "content-type": type })
          .end(
            type === "application/json"
              ? body
              : `data: {"jsonrpc":"2.0","id":"other","result":{"tools":[{"name":"b"}]}}\n\ndata: ${body}\n\n`,
          );
      },
      onMessage: (message) => void seen.push(message),
    });
    const found = await askRemote({ url: server.url, headers: {} }, bounds);
    expect(found).toMatchObject({
      offer: { tools: [{ name: "a", source }], instructions: '"Be kind"' },
    });
    await server.stop();
    server = null;
  }
});
