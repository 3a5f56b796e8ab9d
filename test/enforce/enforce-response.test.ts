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
import type { Exchange } from "../../src/enforce/exchange.ts";

const list = exchange("tools/list");
const names = (value: unknown, open: Exchange = list, road = roadOf()) => {
  const got = passed(receive(road, result(value), open)) as {
    result: { tools: { name: string }[] };
  } | null;
  return got?.result.tools.map((t) => t.name) ?? null;
};

test("a list shows what may be called", () => {
  expect(
    names({
      tools: [
        tool("read_file"),
        tool("delete_all"),
        tool("search_x"),
        tool("search_admin"),
        tool("r\u0435ad_file"),
        tool("search_\u200bx"),
      ],
    }),
  ).toEqual(["read_file", "search_x"]);
});

test("a tool that is asked about is shown", () => {
  const road = roadOf({ allow: ["send"], ask: ["send"] });
  expect(names({ tools: [tool("send")] }, list, road)).toEqual(["send"]);
});

test("a page on which nothing is left keeps its cursor, the empty one too", () => {
  for (const nextCursor of ["p2", ""])
    expect(
      passed(
        receive(
          roadOf(),
          result({ tools: [tool("delete_all")], nextCursor }),
          list,
        ),
      ),
    ).toEqual(result({ tools: [], nextCursor }));
});

test("only the members of a list are passed on", () => {
  expect(
    passed(
      receive(
        roadOf(),
        result({
          tools: [],
          toolsets: [{ name: "delete_all" }],
          resources: [{ uri: "file:///" }],
          _meta: { a: 1 },
          nextCursor: null,
        }),
        list,
      ),
    ),
  ).toEqual(result({ tools: [], _meta: { a: 1 } }));
});

test("a list is private, and not for long", () => {
  const cached = (more: object, open: Exchange) =>
    passed(receive(roadOf(), result({ tools: [], ...more }), open));
  const modern = exchange("tools/list", { era: "modern" });
  const kept = (ttlMs: number) =>
    result({ tools: [], ttlMs, cacheScope: "private" });
  expect(cached({ ttlMs: 31_536_000_000, cacheScope: "public" }, list)).toEqual(
    kept(300_000),
  );
  expect(cached({ ttlMs: 5, cacheScope: "private" }, modern)).toEqual(kept(5));
  expect(cached({ ttlMs: -1 }, modern)).toEqual(kept(0));
  expect(cached({}, modern)).toEqual(kept(0));
  expect(cached({}, list)).toEqual(result({ tools: [] }));
});

test.each([
  ["an object as list", { tools: { 0: tool("read_file") } }],
  ["no list", {}],
  ["a number as cursor", { tools: [], nextCursor: 1 }],
  ["a question instead", { resultType: "input_required", requestState: "x" }],
  ["a task instead", { resultType: "task" }],
  ["an unknown kind", { resultType: "other", tools: [] }],
  ["an array as result", [tool("delete_all")]],
  ["null as result", null],
])("%s in answer to `tools/list` is not passed on", (_what, value) => {
  expect(receive(roadOf(), result(value), list).kind).toBe("broken");
});

test("a name that stands twice is withheld and cannot be called, until it stands once", () => {
  const road = roadOf();
  const called = () => brief(send(road, call("read_file")));
  expect(
    names(
      { tools: [tool("read_file"), tool("search_x"), tool("read_file")] },
      list,
      road,
    ),
  ).toEqual(["search_x"]);
  expect(called()).toBe("403 4030 listed-twice");
  expect(names({ tools: [tool("read_file")] }, list, road)).toEqual([
    "read_file",
  ]);
  expect(called()).toBe("forward");
});

test("a name that stands on two pages is withheld on the second and cannot be called", () => {
  const road = roadOf();
  const page = (cursor: string | null, value: object) =>
    names(value, exchange("tools/list", { cursor }), road);
  expect(page(null, { tools: [tool("read_file")], nextCursor: "2" })).toEqual([
    "read_file",
  ]);
  expect(page("2", { tools: [tool("read_file"), tool("search_x")] })).toEqual([
    "search_x",
  ]);
  expect(brief(send(road, call("read_file")))).toBe("403 4030 listed-twice");
  // The same page asked for again is no second page.
  expect(page(null, { tools: [tool("read_file")], nextCursor: "3" })).toEqual([
    "read_file",
  ]);
  expect(page("3", { tools: [tool("search_x")] })).toEqual(["search_x"]);
  expect(page("3", { tools: [tool("search_x")] })).toEqual(["search_x"]);
  expect(brief(send(road, call("read_file")))).toBe("forward");
});

test.each([
  ["null", null],
  ["a number as name", { name: 1, inputSchema: { type: "object" } }],
  ["no schema", { name: "read_file" }],
  ["a text as schema", { name: "read_file", inputSchema: "x" }],
  [
    "a task only",
    tool("read_file", { execution: { taskSupport: "required" } }),
  ],
  [
    "tag characters",
    tool("read_file", { description: "Reads\u{e0069}\u{e0067}" }),
  ],
  ["a right-to-left override", tool("read_file", { title: "a\u202eb" })],
  ["a zero-width space", tool("read_file", { description: "a\u200bb" })],
  ["a terminal escape", tool("read_file", { description: "a\u001b[2Kb" })],
  [
    "a hidden character in the schema",
    tool("read_file", {
      inputSchema: { type: "object", properties: { a: { title: "\u2066" } } },
    }),
  ],
  ["half a megabyte", tool("read_file", { description: "A".repeat(500_000) })],
  [
    "a reference to the net",
    tool("read_file", { inputSchema: { $ref: "http://169.254.169.254/x" } }),
  ],
  [
    "a header that is none",
    tool("read_file", {
      inputSchema: {
        type: "object",
        properties: { a: { type: "string", "x-mcp-header": "A\r\nX: 1" } },
      },
    }),
  ],
  [
    "a header of a number",
    tool("read_file", {
      inputSchema: {
        type: "object",
        properties: { a: { type: "number", "x-mcp-header": "A" } },
      },
    }),
  ],
  [
    "one header twice",
    tool("read_file", {
      inputSchema: {
        type: "object",
        properties: {
          a: { type: "string", "x-mcp-header": "A" },
          b: { type: "string", "x-mcp-header": "a" },
        },
      },
    }),
  ],
  [
    "a header behind an alternative",
    tool("read_file", {
      inputSchema: {
        type: "object",
        anyOf: [{ properties: { a: { type: "string", "x-mcp-header": "A" } } }],
      },
    }),
  ],
])(
  "a definition with %s is withheld, and the others are shown",
  (_what, odd) => {
    const verdict = receive(
      roadOf(),
      result({ tools: [odd, tool("search_x")] }),
      list,
    );
    expect(
      (passed(verdict) as { result: { tools: { name: string }[] } }).result
        .tools,
    ).toEqual([tool("search_x")]);
    const name = (odd as { name?: unknown } | null)?.name;
    // What the policy hides anyway needs no line in the log.
    expect(verdict.kind === "pass" && verdict.record?.rule).toBe("definition");
    expect(typeof name === "string" ? name : "read_file").toBe("read_file");
  },
);

test("a definition that is spelt with escapes is seen through", () => {
  const odd = String.raw`{"name":"read_file","description":"\u200b","inputSchema":{}}`;
  const ref = String.raw`{"name":"read_file","inputSchema":{"\u0024ref":"\u0068ttp://x"}}`;
  for (const item of [odd, ref])
    expect(
      passed(
        receive(
          roadOf(),
          `{"jsonrpc":"2.0","id":1,"result":{"tools":[${item}]}}`,
          list,
        ),
      ),
    ).toEqual(result({ tools: [] }));
});

test("a deep definition is withheld, however deep", () => {
  const deep = `{"name":"read_file","inputSchema":{"a":${"[".repeat(10_000)}${"]".repeat(10_000)}}}`;
  expect(
    passed(
      receive(
        roadOf(),
        `{"jsonrpc":"2.0","id":1,"result":{"tools":[${deep}]}}`,
        list,
      ),
    ),
  ).toEqual(result({ tools: [] }));
});

test("ordinary signs, emoji and other scripts stay", () => {
  const odd = tool("read_file", {
    description: 'Reads 👨‍👩‍👧 می‌خواهم \t\n— `x` \\u200b {"$ref": "http://x"}',
    inputSchema: {
      type: "object",
      $schema: "https://json-schema.org/draft/2020-12/schema",
      properties: { a: { $ref: "#/$defs/a" } },
      $defs: { a: { type: "string" } },
    },
  });
  expect(passed(receive(roadOf(), result({ tools: [odd] }), list))).toEqual(
    result({ tools: [odd] }),
  );
});

test("pages of a server in a definition are taken out, the rest stays as it came", () => {
  const odd = tool("read_file", { _meta: { ui: { a: 1 }, "ui/x": 1, b: 2 } });
  expect(passed(receive(roadOf(), result({ tools: [odd] }), list))).toEqual(
    result({ tools: [tool("read_file", { _meta: { b: 2 } })] }),
  );
});

test("numbers of a list are not touched", () => {
  const text =
    '{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"read_file","inputSchema":{"maximum":12345678901234567890,"x":1.50}}]}}';
  const verdict = receive(roadOf(), text, list);
  expect(verdict.kind === "pass" && verdict.text).toBe(text);
  expect(verdict.kind === "pass" && verdict.same).toBe(true);
});

test.each([
  ["an array of one answer", [result({ tools: [tool("delete_all")] })]],
  ["the id as text", result({ tools: [tool("delete_all")] }, "1")],
  ["an id that counts as the same", result({ tools: [] }, "0x1")],
  ["another id", result({ tools: [] }, 2)],
  ["true as id", result({ tools: [] }, true)],
  ["an array as id", result({ tools: [] }, [1])],
  ["no id", { jsonrpc: "2.0", result: {} }],
  ["a result and an error", { ...result({}), error: { code: 1, message: "" } }],
  ["a result and a method", { ...result({}), method: "ping" }],
  ["another member", { ...result({}), tools: [] }],
  ["no version", { id: 1, result: {} }],
  ["an error that is a text", { jsonrpc: "2.0", id: 1, error: "x" }],
  ["a text", "no JSON"],
  ["nothing", ""],
  ["a name twice", '{"jsonrpc":"2.0","id":1,"result":{"tools":[],"tools":[]}}'],
  [
    "a name twice, deep inside",
    '{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"read_file","name":"x","inputSchema":{}}]}}',
  ],
])("%s is not passed on", (_what, body) => {
  expect(receive(roadOf(), body, list).kind).toBe("broken");
  expect(["broken", "drop"]).toContain(
    receive(roadOf(), body, list, { place: "stream" }).kind,
  );
});

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
    ["{}", `{"_meta":{${mark}}}`],
    ['{"_meta":{}}', `{"_meta":{${mark}}}`],
    ['{"_meta":{"a":1e2}}', `{"_meta":{"a":1e2,${mark}}}`],
    ['{"_meta":{"fenzi/untrusted":false,"a":1}}', `{"_meta":{"a":1,${mark}}}`],
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
  expect(good.record.arguments).toEqual(["region", "deep"]);
  expect(brief(headers(["Mcp-Param-Region", "us"], { region: "eu" }))).toBe(
    "400 -32020",
  );
  expect(brief(headers(["Mcp-Param-Region", "eu"], {}))).toBe("400 -32020");
  expect(brief(headers(["Mcp-Param-Other", "x"], { region: "eu" }))).toBe(
    "400 -32020",
  );
});

test("an answer that is nested very deep is not passed on", () => {
  const deep = (depth: number) =>
    receive(
      roadOf(),
      `{"jsonrpc":"2.0","id":1,"result":{"a":${"[".repeat(depth)}${"]".repeat(depth)}}}`,
      exchange("tools/call"),
    ).kind;
  expect(deep(500)).toBe("pass");
  expect(deep(600)).toBe("broken");
  expect(deep(100_000)).toBe("broken");
});
