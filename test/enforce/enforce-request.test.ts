// What becomes of a client's message, rule by rule. The door replays the shared cases over HTTP; here are the words,
// the records and the bytes that go to the server.
import { expect, test } from "vitest";
import { scanJson } from "../../src/enforce/json-scan.ts";
import { knownTool } from "../../src/enforce/tool-definition.ts";
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

test("a text is judged as the list that a server may take it for, unless the tool declares it a string", () => {
  const road = roadOf();
  const text = JSON.stringify({
    name: "read_file",
    inputSchema: {
      type: "object",
      properties: {
        content: { type: "string" },
        paths: { type: "array" },
        either: { anyOf: [{ type: "string" }, { type: "array" }] },
      },
    },
  });
  const scan = scanJson(text, { depth: 64, members: 99, keep: 9, nodes: 999 });
  if ("problem" in scan) throw new Error(scan.problem);
  const ask = (name: string) =>
    brief(
      send(
        road,
        call("read_file", { arguments: { [name]: '["\\u002eenv"]' } }),
      ),
    );
  expect(ask("content")).toBe("403 4030 private");
  road.tools.learn("read_file", knownTool(text, scan.root, null));
  expect(ask("content")).toBe("forward");
  expect(ask("paths")).toBe("403 4030 private");
  expect(ask("either")).toBe("403 4030 private");
  expect(ask("other")).toBe("403 4030 private");
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
