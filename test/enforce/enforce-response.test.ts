// What becomes of a server's message, rule by rule, whether it is the body of an answer or an event of a stream.
import { expect, test } from "vitest";
import {
  brief,
  call,
  exchange,
  passed,
  receive,
  result,
  roadOf,
  send,
  tool,
} from "../support/enforce-case.ts";

const list = exchange("tools/list");

test("an answer is passed on once", () => {
  const road = roadOf();
  const first = receive(road, result({ tools: [] }), list);
  expect(first.kind === "pass" && first.settled).toBe(list);
  const second = receive(road, result({ tools: [] }), null, {
    place: "stream",
  });
  expect(second).toMatchObject({
    kind: "drop",
    record: { rule: "unrequested" },
  });
});

test("an error without id in the only answer belongs to the only request", () => {
  const error = { code: -32700, message: "Parse error" };
  for (const body of [
    { jsonrpc: "2.0", error },
    { jsonrpc: "2.0", id: null, error },
  ]) {
    expect(passed(receive(roadOf(), body, list))).toEqual({
      jsonrpc: "2.0",
      id: 1,
      error,
    });
    expect(receive(roadOf(), body, list, { place: "stream" }).kind).toBe(
      "drop",
    );
  }
});

test("only the capability to serve tools is announced", () => {
  const answer = {
    protocolVersion: "2025-11-25",
    capabilities: {
      tools: { listChanged: true },
      resources: {},
      prompts: {},
      logging: {},
      tasks: {},
      experimental: { x: {} },
    },
    serverInfo: { name: "s", version: "1" },
    instructions: "Call read_file first.",
  };
  expect(
    passed(receive(roadOf(), result(answer), exchange("initialize"))),
  ).toEqual(
    result({ ...answer, capabilities: { tools: { listChanged: true } } }),
  );
  expect(
    passed(
      receive(
        roadOf(),
        result({
          ...answer,
          capabilities: { prompts: {} },
          instructions: "a\u202eb",
        }),
        exchange("initialize"),
      ),
    ),
  ).toEqual(
    result({
      protocolVersion: answer.protocolVersion,
      capabilities: {},
      serverInfo: answer.serverInfo,
    }),
  );
});

test("a discovery offers only versions that are understood here, and is private", () => {
  expect(
    passed(
      receive(
        roadOf(),
        result({
          resultType: "complete",
          supportedVersions: ["2099-01-01", "2026-07-28", 5, "2025-11-25"],
          capabilities: { tools: {}, extensions: { x: {} } },
          ttlMs: 999_999_999,
          cacheScope: "public",
        }),
        exchange("server/discover", { era: "modern" }),
      ),
    ),
  ).toEqual(
    result({
      resultType: "complete",
      supportedVersions: ["2026-07-28", "2025-11-25"],
      capabilities: { tools: {} },
      ttlMs: 300_000,
      cacheScope: "private",
    }),
  );
});

test("the result of a call is marked, and otherwise as it came", () => {
  const mark = '"fenzi/server":"demo","fenzi/untrusted":true';
  for (const [before, after] of [
    ['{"content":[],"n":1.50}', `{"content":[],"n":1.50,"_meta":{${mark}}}`],
    ['{"structuredContent":1}', `{"structuredContent":1,"_meta":{${mark}}}`],
    ['{"content":[],"_meta":{}}', `{"content":[],"_meta":{${mark}}}`],
    [
      '{"_meta":{"a":1e2},"content":[]}',
      `{"_meta":{"a":1e2,${mark}},"content":[]}`,
    ],
    [
      '{"content":[],"_meta":{"fenzi/untrusted":false,"a":1}}',
      `{"content":[],"_meta":{"a":1,${mark}}}`,
    ],
  ]) {
    const verdict = receive(
      roadOf(),
      `{"jsonrpc":"2.0","id":1,"result":${before}}`,
      exchange("tools/call"),
    );
    expect(verdict.kind === "pass" && verdict.text).toBe(
      `{"jsonrpc":"2.0","id":1,"result":${after}}`,
    );
  }
});

test.each([
  ["a question", { resultType: "input_required", inputRequests: {} }],
  ["a task", { resultType: "task", taskId: "1" }],
])("%s instead of a result becomes words for the model", (_what, value) => {
  const verdict = receive(
    roadOf(),
    result(value),
    exchange("tools/call", { era: "modern" }),
  );
  expect(passed(verdict)).toMatchObject({
    id: 1,
    result: { resultType: "complete", isError: true },
  });
});

test("an error that asks to open a page becomes words for the model", () => {
  const verdict = receive(
    roadOf(),
    {
      jsonrpc: "2.0",
      id: 1,
      error: {
        code: -32042,
        message: "open",
        data: { elicitations: [{ url: "https://evil.example" }] },
      },
    },
    exchange("tools/call"),
  );
  expect(passed(verdict)).toMatchObject({ id: 1, result: { isError: true } });
  expect(JSON.stringify(passed(verdict))).not.toContain("evil");
});

test.each([
  ["ping", { result: {} }],
  ["elicitation/create", { result: { action: "decline" } }],
  ["sampling/createMessage", { error: { code: -32601 } }],
  ["roots/list", { error: { code: -32601 } }],
  ["tasks/list", { error: { code: -32601 } }],
  ["anything", { error: { code: -32601 } }],
])(
  "a server that asks for `%s` is answered, and the client is not",
  (method, answer) => {
    const ask = { jsonrpc: "2.0", id: 1, method, params: {} };
    // The id is the server's own: that of the client's request means nothing here.
    const verdict = receive(roadOf(), ask, exchange("tools/call"), {
      place: "stream",
    });
    expect(
      verdict.kind === "reply" && (JSON.parse(verdict.text) as unknown),
    ).toMatchObject({ jsonrpc: "2.0", id: 1, ...answer });
    expect(
      receive(roadOf(), ask, exchange("tools/call", { era: "modern" }), {
        place: "stream",
      }).kind,
    ).toBe("drop");
  },
);

const notice = (method: string, params: object = {}) => ({
  jsonrpc: "2.0",
  method: `notifications/${method}`,
  params,
});

test.each([
  ["tools/list_changed", "pass"],
  ["message", "drop"],
  ["resources/updated", "drop"],
  ["resources/list_changed", "drop"],
  ["prompts/list_changed", "drop"],
  ["elicitation/complete", "drop"],
  ["tasks/status", "drop"],
  ["tasks", "drop"],
  ["cancelled", "drop"],
  ["unknown", "drop"],
])("the notice `%s` of an older server", (method, kind) => {
  expect(
    receive(roadOf(), notice(method), exchange("tools/call"), {
      place: "stream",
    }).kind,
  ).toBe(kind);
});

test("a notice of changed tools brings no tools with it", () => {
  const text = (params: unknown) =>
    passed(
      receive(
        roadOf(),
        { ...notice("tools/list_changed"), params },
        exchange("tools/call"),
        { place: "stream" },
      ),
    );
  expect(text({ tools: [{ name: "x" }], _meta: { a: 1 } })).toEqual(
    notice("tools/list_changed", { _meta: { a: 1 } }),
  );
  expect(text([{ name: "x" }])).toEqual(notice("tools/list_changed"));
});

test("progress goes to whoever waits for it, by type and value, with short words", () => {
  const open = exchange("tools/call", { progressToken: "7" });
  const progress = (progressToken: unknown, message = "half") =>
    passed(
      receive(
        roadOf(),
        notice("progress", { progressToken, progress: 0.5, message }),
        open,
        { place: "stream" },
      ),
    );
  expect(progress(7)).toEqual(
    notice("progress", { progressToken: 7, progress: 0.5, message: "half" }),
  );
  expect(progress("7")).toBeNull();
  expect(progress(8)).toBeNull();
  expect(
    (progress(7, "x".repeat(10_000)) as { params: { message: string } }).params
      .message.length,
  ).toBe(4_097);
});

test("a newer stream carries what was listened for", () => {
  const open = exchange("subscriptions/listen", { id: '"s"', era: "modern" });
  const to = (method: string, id: unknown, more: object = {}) =>
    receive(
      roadOf(),
      notice(method, {
        ...more,
        _meta: { "io.modelcontextprotocol/subscriptionId": id },
      }),
      open,
      { place: "stream" },
    );
  expect(to("tools/list_changed", "s").kind).toBe("pass");
  expect(to("tools/list_changed", "t").kind).toBe("drop");
  expect(to("tools/list_changed", undefined).kind).toBe("drop");
  expect(to("prompts/list_changed", "s").kind).toBe("drop");
  expect(
    passed(
      to("subscriptions/acknowledged", "s", {
        notifications: { toolsListChanged: true, promptsListChanged: true },
      }),
    ),
  ).toMatchObject({ params: { notifications: { toolsListChanged: true } } });
  const ended = to("cancelled", "s", { requestId: "s" });
  expect(ended.kind === "pass" && ended.settled).toBe(open);
});

test("what a tool declares decides which names of arguments are logged and which headers go on", () => {
  const road = roadOf();
  receive(
    road,
    result({
      tools: [
        tool("read_file", {
          inputSchema: {
            type: "object",
            properties: {
              region: { type: "string", "x-mcp-header": "Region" },
              deep: {
                type: "object",
                properties: { n: { type: "integer", "x-mcp-header": "N" } },
              },
            },
          },
        }),
      ],
    }),
    list,
  );
  const headers = (more: readonly string[], args: object) =>
    send(
      road,
      call("read_file", {
        arguments: args,
        _meta: {
          "io.modelcontextprotocol/protocolVersion": "2026-07-28",
          "io.modelcontextprotocol/clientCapabilities": {},
        },
      }),
      {
        headers: [
          "MCP-Protocol-Version",
          "2026-07-28",
          "Mcp-Method",
          "tools/call",
          "Mcp-Name",
          "read_file",
          ...more,
        ],
      },
    );
  const good = headers(
    ["Mcp-Param-Region", "eu", "Mcp-Param-N", "42.0", "Mcp-Param-Other", "eu"],
    { region: "eu", deep: { n: 42 }, secret: 1 },
  );
  expect(good.kind === "forward" && good.headers.slice(3)).toEqual([
    ["mcp-param-region", "eu"],
    ["mcp-param-n", "42"],
  ]);
  expect(good.record?.arguments).toEqual(["region", "deep"]);
  expect(brief(headers(["Mcp-Param-Region", "us"], { region: "eu" }))).toBe(
    "400 -32020",
  );
  expect(brief(headers(["Mcp-Param-Region", "eu"], {}))).toBe("400 -32020");
  expect(brief(headers(["Mcp-Param-Other", "x"], { region: "eu" }))).toBe(
    "400 -32020",
  );
});

test("what is not the result of a call is none, whatever it lists", () => {
  for (const before of ["{}", '{"tools":[{"name":"delete_all"}]}']) {
    const verdict = receive(
      roadOf(),
      `{"jsonrpc":"2.0","id":1,"result":${before}}`,
      exchange("tools/call"),
    );
    expect(verdict.kind === "broken" && verdict.exchange?.id).toBe("1");
  }
});

test("an answer that is nested very deep is not passed on", () => {
  const deep = (depth: number) =>
    receive(
      roadOf(),
      `{"jsonrpc":"2.0","id":1,"result":{"content":${"[".repeat(depth)}${"]".repeat(depth)}}}`,
      exchange("tools/call"),
    ).kind;
  expect(deep(500)).toBe("pass");
  expect(deep(600)).toBe("broken");
  expect(deep(100_000)).toBe("broken");
});
