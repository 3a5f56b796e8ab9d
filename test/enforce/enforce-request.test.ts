// What becomes of a client's message, rule by rule. The door replays the shared cases over HTTP; here are the words,
// the records and the bytes that go to the server.
import { expect, test } from "vitest";
import { unlogged } from "../../src/enforce/enforce-request.ts";
import {
  brief,
  call,
  exchange,
  forwarded,
  MODERN_META,
  modernHeaders,
  roadOf,
  send,
} from "../support/enforce-case.ts";
import { tightenPolicy } from "../../src/policy/decide.ts";

const request = (method: unknown, params?: unknown, id: unknown = 1) => ({
  jsonrpc: "2.0",
  id,
  method,
  ...(params === undefined ? {} : { params }),
});
const notification = (method: string, params?: unknown) => ({
  jsonrpc: "2.0",
  method,
  ...(params === undefined ? {} : { params }),
});

test.each([
  ["an exact entry", "read_file", "forward"],
  ["a pattern", "search_code", "forward"],
  [
    "a denied tool that a pattern allows",
    "search_admin",
    "403 4030 tools.deny",
  ],
  ["a denied tool in another case", "Search_Admin", "403 4030 tools.deny"],
  ["a tool that nothing allows", "delete_all", "403 4030 tools.allow"],
  ["a NUL inside", "read_file\0delete_all", "403 4030 tools.allow"],
  ["a tab before", "\tread_file", "403 4030 tools.allow"],
  ["a zero-width space", "read\u200b_file", "403 4030 tools.allow"],
  ["a lookalike", "r\u0435ad_file", "403 4030 tools.allow"],
  ["full width", "\uff52ead_file", "403 4030 tools.allow"],
  ["upper case", "READ_FILE", "403 4030 tools.allow"],
  ["a percent form", "read%5Ffile", "403 4030 tools.allow"],
  ["an agent's prefix", "mcp__demo__read_file", "403 4030 tools.allow"],
  ["nothing", "", "403 4030 tools.allow"],
  ["the pattern itself", "search_*", "403 4030 tools.allow"],
  ["half a surrogate pair", "read_file\ud800", "403 4030 tools.allow"],
  ["an array", ["read_file"], "400 -32602"],
  ["a number", 0, "400 -32602"],
  ["null", null, "400 -32602"],
  ["an object", { a: 1 }, "400 -32602"],
])("a call of %s", (_what, name, wanted) => {
  expect(brief(send(roadOf(), call(name)))).toBe(wanted);
});

test.each([
  ["initialize", "forward"],
  ["ping", "forward"],
  ["tools/list", "forward"],
  ["server/discover", "forward"],
  ["resources/list", "403 4030 method"],
  ["resources/read", "403 4030 method"],
  ["resources/templates/list", "403 4030 method"],
  ["resources/subscribe", "403 4030 method"],
  ["prompts/list", "403 4030 method"],
  ["prompts/get", "403 4030 method"],
  ["completion/complete", "403 4030 method"],
  ["logging/setLevel", "403 4030 method"],
  ["tasks/get", "403 4030 method"],
  ["tasks/list", "403 4030 method"],
  ["tasks/result", "403 4030 method"],
  ["tasks/update", "403 4030 method"],
  ["sampling/createMessage", "403 4030 method"],
  ["roots/list", "403 4030 method"],
  ["rpc.discover", "403 4030 method"],
  ["tools/call ", "403 4030 method"],
  ["tools/call/", "403 4030 method"],
  ["Tools/Call", "403 4030 method"],
  ["tools\\call", "403 4030 method"],
  ["tools/list\0", "403 4030 method"],
  ["__proto__", "403 4030 method"],
  ["", "403 4030 method"],
  ["notifications/initialized", "403 4030 method"],
])("the method `%s` as a request", (method, wanted) => {
  const params = {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "a", version: "1" },
  };
  expect(brief(send(roadOf(), request(method, params)))).toBe(wanted);
});

test("`initialize` says what every server needs to know", () => {
  expect(brief(send(roadOf(), request("initialize")))).toBe("400 -32602");
  expect(
    brief(
      send(
        roadOf(),
        request("initialize", { protocolVersion: "1", capabilities: {} }),
      ),
    ),
  ).toBe("400 -32602");
});

test.each([
  ["notifications/initialized", "forward"],
  ["notifications/progress", "drop"],
  ["notifications/roots/list_changed", "drop"],
  ["notifications/tasks/status", "drop"],
  ["notifications/message", "403 4030 method"],
  ["notifications/unknown", "403 4030 method"],
  ["tools/call", "403 4030 method"],
  ["tools/list", "403 4030 method"],
  ["resources/read", "403 4030 method"],
])("the method `%s` as a notification", (method, wanted) => {
  const params = method === "tools/call" ? { name: "read_file" } : {};
  expect(brief(send(roadOf(), notification(method, params)))).toBe(wanted);
});

test("an answer of the client is refused: nothing was asked", () => {
  expect(brief(send(roadOf(), { jsonrpc: "2.0", id: 1, result: {} }))).toBe(
    "403 4030 method",
  );
});

test.each([
  ["task", { ttl: 1 }],
  ["inputResponses", {}],
  ["requestState", "x"],
])(
  "a call with `%s` is refused although the tool is allowed",
  (name, value) => {
    expect(brief(send(roadOf(), call("read_file", { [name]: value })))).toBe(
      "403 4030 method",
    );
  },
);

test("arguments are an object, or null, or left out", () => {
  const road = roadOf();
  const args = (value: unknown) =>
    brief(send(road, call("read_file", { arguments: value })));
  expect(args({ a: 1 })).toBe("forward");
  expect(args(null)).toBe("forward");
  expect(args(undefined)).toBe("forward");
  expect(args([])).toBe("400 -32602");
  expect(args("x")).toBe("400 -32602");
});

test("half a surrogate pair is refused in what would be forwarded", () => {
  expect(
    brief(send(roadOf(), call("read_file", { arguments: { a: "\ud800" } }))),
  ).toBe("400 -32600");
});

test("what is forwarded is what came, byte for byte", () => {
  const body =
    '{ "jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_file","arguments":{"channel":1234567890123456789,"f":1.50,"e":1E5,"__proto__":{"polluted":1},"p\\u0061th":"\\/a"}}}';
  expect(forwarded(send(roadOf(), body))).toBe(body);
  expect(({} as { polluted?: number }).polluted).toBeUndefined();
});

test("known names and the tool's name are written out, so that nobody has to read escapes", () => {
  const body =
    '{"jsonrpc":"2.0","i\\u0064":1,"method":"tools\\/call","par\\u0061ms":{"n\\u0061me":"read\\u005ffile","arguments":{"a":"\\u0041"},"_met\\u0061":{"progressTok\\u0065n":1}}}';
  expect(forwarded(send(roadOf(), body))).toBe(
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_file","arguments":{"a":"\\u0041"},"_meta":{"progressToken":1}}}',
  );
});

test("capabilities that the policy closes are taken out of `initialize`", () => {
  const verdict = send(
    roadOf(),
    request("initialize", {
      protocolVersion: "2025-11-25",
      capabilities: {
        sampling: { tools: {} },
        roots: {},
        experimental: { x: {} },
      },
      clientInfo: { name: "a", version: "1" },
    }),
  );
  expect(JSON.parse(forwarded(verdict) ?? "")).toEqual(
    request("initialize", {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "a", version: "1" },
    }),
  );
});

test("what follows a person, and a wish for log messages, are taken out of `_meta`", () => {
  const verdict = send(
    roadOf(),
    call("read_file", {
      _meta: {
        ...MODERN_META,
        "io.modelcontextprotocol/clientCapabilities": { elicitation: {} },
        "io.modelcontextprotocol/logLevel": "debug",
        traceparent: "00-1",
        tracestate: "x",
        baggage: "user=alice",
        progressToken: 5,
        "vendor/x": 1,
      },
    }),
    { headers: modernHeaders("tools/call", "read_file") },
  );
  expect(JSON.parse(forwarded(verdict) ?? "")).toEqual(
    call("read_file", {
      _meta: { ...MODERN_META, progressToken: 5, "vendor/x": 1 },
    }),
  );
});

test("capabilities that are none are left for the server to refuse", () => {
  const body = call("read_file", {
    _meta: { ...MODERN_META, "io.modelcontextprotocol/clientCapabilities": 5 },
  });
  expect(
    forwarded(
      send(roadOf(), body, {
        headers: modernHeaders("tools/call", "read_file"),
      }),
    ),
  ).toBe(JSON.stringify(body));
});

test("a listener hears of tools only", () => {
  const listen = (notifications: unknown) =>
    send(
      roadOf(),
      request("subscriptions/listen", { notifications, _meta: MODERN_META }),
      { headers: modernHeaders("subscriptions/listen") },
    );
  const all = listen({
    toolsListChanged: true,
    promptsListChanged: true,
    resourceSubscriptions: ["file:///"],
  });
  expect(JSON.parse(forwarded(all) ?? "")).toMatchObject({
    params: { notifications: { toolsListChanged: true } },
  });
  expect(forwarded(all)).not.toContain("prompts");
  expect(brief(listen({ promptsListChanged: true }))).toBe("403 4030 method");
  expect(brief(listen({ toolsListChanged: false }))).toBe("403 4030 method");
});

test("a cancellation goes on only for a request of the same client, by type and value", () => {
  const cancel = (requestId: unknown) =>
    brief(
      send(roadOf(), notification("notifications/cancelled", { requestId }), {
        outstanding: new Map([["1", exchange("tools/call")]]),
      }),
    );
  expect(cancel(1)).toBe("forward");
  expect(cancel("1")).toBe("drop");
  expect(cancel(2)).toBe("drop");
  expect(cancel({ a: 1 })).toBe("400 -32602");
  expect(cancel(undefined)).toBe("400 -32602");
});

test("an id that is in use is refused", () => {
  const outstanding = new Map([["1", exchange("tools/call")]]);
  expect(brief(send(roadOf(), call("read_file"), { outstanding }))).toBe(
    "400 -32600",
  );
});

test.each([
  ["agrees", modernHeaders("tools/call", "read_file"), "forward"],
  [
    "is spelt in base64",
    modernHeaders("tools/call", "=?base64?cmVhZF9maWxl?="),
    "forward",
  ],
  [
    "has blanks around it",
    modernHeaders("tools/call", "  read_file "),
    "forward",
  ],
  [
    "names another tool",
    modernHeaders("tools/call", "delete_all"),
    "400 -32020",
  ],
  [
    "names another method",
    modernHeaders("tools/list", "read_file"),
    "400 -32020",
  ],
  ["lacks the tool", modernHeaders("tools/call"), "400 -32020"],
  [
    "lacks the method",
    ["MCP-Protocol-Version", "2026-07-28", "Mcp-Name", "read_file"],
    "400 -32020",
  ],
  [
    "lacks the version",
    ["Mcp-Method", "tools/call", "Mcp-Name", "read_file"],
    "400 -32020",
  ],
  [
    "has another version",
    [
      "MCP-Protocol-Version",
      "2025-11-25",
      "Mcp-Method",
      "tools/call",
      "Mcp-Name",
      "read_file",
    ],
    "400 -32020",
  ],
  [
    "is sent twice",
    [...modernHeaders("tools/call", "read_file"), "mcp-name", "read_file"],
    "400 -32020",
  ],
  [
    "has a sentinel in capitals",
    modernHeaders("tools/call", "=?BASE64?cmVhZF9maWxl?="),
    "400 -32020",
  ],
  [
    "has bad base64",
    modernHeaders("tools/call", "=?base64?cmVhZF9maWx?="),
    "400 -32020",
  ],
  ["is not ASCII", modernHeaders("tools/call", "read_filé"), "400 -32020"],
])("a newer call whose header %s", (_what, headers, wanted) => {
  expect(
    brief(
      send(roadOf(), call("read_file", { _meta: MODERN_META }), { headers }),
    ),
  ).toBe(wanted);
});

test.each([
  ["a lying name", ["Mcp-Name", "delete_all"], "400 -32020"],
  ["a lying method", ["Mcp-Method", "tools/list"], "400 -32020"],
  ["a known version", ["MCP-Protocol-Version", "2025-06-18"], "forward"],
  ["an unknown version", ["MCP-Protocol-Version", "2099-01-01"], "400 -32022"],
  [
    "two versions",
    [
      "MCP-Protocol-Version",
      "2025-06-18",
      "MCP-Protocol-Version",
      "2025-06-18",
    ],
    "400 -32020",
  ],
  ["the newer version", modernHeaders("tools/call", "read_file"), "400 -32602"],
  ["nothing", [], "forward"],
])("an older call with %s in the headers", (_what, headers, wanted) => {
  expect(brief(send(roadOf(), call("read_file"), { headers }))).toBe(wanted);
});

test("a version that nobody knows is refused with those that are known", () => {
  const verdict = send(
    roadOf(),
    call("read_file", {
      _meta: {
        ...MODERN_META,
        "io.modelcontextprotocol/protocolVersion": "2099-01-01",
      },
    }),
    {
      headers: [
        "MCP-Protocol-Version",
        "2099-01-01",
        "Mcp-Method",
        "tools/call",
        "Mcp-Name",
        "read_file",
      ],
    },
  );
  expect(verdict.kind === "answer" && JSON.parse(verdict.answer.body)).toEqual({
    jsonrpc: "2.0",
    id: 1,
    error: {
      code: -32022,
      message: "this version of the protocol is not known here",
      data: {
        supported: [
          "2026-07-28",
          "2024-11-05",
          "2025-03-26",
          "2025-06-18",
          "2025-11-25",
        ],
        requested: "2099-01-01",
      },
    },
  });
});

test("headers for the server are made from the body", () => {
  const name = "größe";
  const verdict = send(
    roadOf({ allow: [name] }),
    call(name, { _meta: MODERN_META }),
    {
      headers: [
        ...modernHeaders("tools/call", "=?base64?Z3LDtsOfZQ==?="),
        "Authorization",
        "Bearer agent",
        "Mcp-Session-Id",
        "x",
      ],
    },
  );
  expect(verdict.kind === "forward" && verdict.headers).toEqual([
    ["mcp-protocol-version", "2026-07-28"],
    ["mcp-method", "tools/call"],
    ["mcp-name", "=?base64?Z3LDtsOfZQ==?="],
  ]);
});

test("a refusal names server, tool and rule in words, and nothing of the rule's place", () => {
  const verdict = send(roadOf(), call("search_admin"));
  if (verdict.kind !== "answer") throw new Error(verdict.kind);
  const body = JSON.parse(verdict.answer.body) as {
    error: { message: string };
  };
  expect(body).toEqual({
    jsonrpc: "2.0",
    id: 1,
    error: {
      code: 4030,
      message: expect.stringMatching(/^policy_denied: /) as string,
      data: {
        error: "policy_denied",
        server: "demo",
        method: "tools/call",
        tool: "search_admin",
        rule: "tools.deny",
      },
    },
  });
  expect(body.error.message).toContain("`search_admin` of `demo`");
  expect(body.error.message).toContain("`search_admin` denies it");
  expect(verdict.answer.body).not.toContain("/work");
  expect(verdict.record).toEqual({
    server: "demo",
    effect: "deny",
    http: "POST demo.example/mcp",
    method: "tools/call",
    tool: "search_admin",
    arguments: [],
    reason: "`search_admin` denies it (/work/fenzi.yaml:3:5)",
    rule: "tools.deny",
    bytes: JSON.stringify(call("search_admin")).length,
  });
});

test("over standard input a refused call is a result that the model reads", () => {
  const line = (body: unknown) => {
    const verdict = send(roadOf(), body);
    return verdict.kind === "answer" ? verdict.answer.line : "?";
  };
  expect(JSON.parse(line(call("delete_all")) ?? "")).toMatchObject({
    id: 1,
    result: { isError: true, content: [{ type: "text" }] },
  });
  expect(JSON.parse(line(request("prompts/list")) ?? "")).toMatchObject({
    id: 1,
    error: { code: 4030 },
  });
  expect(line(notification("notifications/unknown"))).toBeNull();
});

test("a call that is asked about is refused while nobody can answer", () => {
  const verdict = send(
    roadOf({ allow: ["send"], ask: ["send"] }),
    call("send"),
  );
  expect(brief(verdict)).toBe("403 4030 tools.ask");
  expect(verdict.kind === "answer" && verdict.answer.body).toContain(
    "nobody can be asked here",
  );
  expect(verdict.record.effect).toBe("deny");
});

test("`server/discover` is never refused with 403", () => {
  const road = roadOf();
  road.policy = tightenPolicy(road.policy, null);
  expect(brief(send(road, request("server/discover")))).toBe(
    "404 4030 removed",
  );
  expect(brief(send(road, call("read_file")))).toBe("403 4030 removed");
});

test("a tighter policy holds from the next message on, and never widens", () => {
  const road = roadOf({ allow: ["a", "b"] });
  const start = road.policy;
  road.policy = tightenPolicy(start, roadOf({ allow: ["b", "c"] }).policy);
  expect(["a", "b", "c"].map((name) => brief(send(road, call(name))))).toEqual([
    "403 4030 tools.allow",
    "forward",
    "403 4030 tools.allow",
  ]);
  road.policy = tightenPolicy(start, roadOf({ allow: ["a"] }).policy);
  expect(["a", "b", "c"].map((name) => brief(send(road, call(name))))).toEqual([
    "forward",
    "403 4030 tools.allow",
    "403 4030 tools.allow",
  ]);
});

test("what cannot be logged is refused", () => {
  const road = roadOf();
  const answer = unlogged(send(road, call("read_file")), road);
  expect(answer.status).toBe(403);
  expect(answer.body).toContain('"rule":"log"');
});

test("the log has names of arguments and no values", () => {
  const args = Object.fromEntries(
    Array.from({ length: 40 }, (_, i) => [`name${i}`, "VALUE"]),
  );
  const verdict = send(
    roadOf(),
    call("read_file", {
      arguments: {
        ghp_0123456789abcdefghijklmnopqrstuvwxyz: 1,
        "odd name": 1,
        ...args,
      },
    }),
  );
  expect(verdict.record.arguments).toEqual(
    Array.from({ length: 32 }, (_, i) => `name${i}`),
  );
  expect(JSON.stringify(verdict.record)).not.toContain("VALUE");
});

test("names from the client cannot break a line of the log or move a cursor", () => {
  const verdict = send(roadOf(), call('x\n{"effect":"allow"}\u001b[2K\u202e'));
  expect(verdict.record.tool).toBe(
    'x\\u{a}{"effect":"allow"}\\u{1b}[2K\\u{202e}',
  );
  expect(
    send(roadOf(), call("x".repeat(1_000))).record.tool?.length,
  ).toBeLessThanOrEqual(128);
});

test("a malformed message is logged without anything of it", () => {
  const verdict = send(roadOf(), '{"ghp_secret":1,}');
  expect(verdict.record).toEqual({
    server: "demo",
    effect: "deny",
    http: "POST demo.example/mcp",
    method: null,
    tool: null,
    arguments: [],
    reason: "the text is not one JSON value",
    rule: "malformed",
    bytes: 17,
  });
});
