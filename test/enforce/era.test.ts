// Which version a client's message is of, and what its headers may say about its body. The door replays the shared cases
// over HTTP; here every single header is bent.
import { expect, test } from "vitest";
import {
  brief,
  call,
  MODERN_META,
  modernHeaders,
  roadOf,
  send,
} from "../support/enforce-case.ts";

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

test("a version that nobody knows is refused with those that can stand in its place", () => {
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
        supported: ["2026-07-28"],
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
