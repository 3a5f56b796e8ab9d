// What is said about a message that is refused, to the agent and to the log, which a decision alone does not show.
import { expect, test } from "vitest";
import { unlogged } from "../../src/enforce/enforce-request.ts";
import { tightenPolicy } from "../../src/policy/decide.ts";
import { brief, call, roadOf, send } from "../support/enforce-case.ts";

const request = (method: unknown, params?: unknown, id: unknown = 1) => ({
  jsonrpc: "2.0",
  id,
  method,
  ...(params === undefined ? {} : { params }),
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
    reason: "`search_admin` denies it (/repo/fenzi.yaml:3:5)",
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
  expect(line({ jsonrpc: "2.0", method: "notifications/unknown" })).toBeNull();
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
  expect(verdict.record?.effect).toBe("deny");
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
  expect(verdict.record?.arguments).toEqual(
    Array.from({ length: 32 }, (_, i) => `name${i}`),
  );
  expect(JSON.stringify(verdict.record)).not.toContain("VALUE");
});

test("names from the client cannot break a line of the log or move a cursor", () => {
  const verdict = send(roadOf(), call('x\n{"effect":"allow"}\u001b[2K\u202e'));
  expect(verdict.record?.tool).toBe(
    'x\\u{a}{"effect":"allow"}\\u{1b}[2K\\u{202e}',
  );
  expect(
    send(roadOf(), call("x".repeat(1_000))).record?.tool?.length,
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
