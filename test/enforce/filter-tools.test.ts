// What becomes of a server's list of tools, rule by rule: what is shown, what is withheld, what of it goes on.
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
