// What an agent may write, and what becomes of it: framing, refusals, and what the server gets of it.
import { expect, test } from "vitest";
import {
  call,
  endGuards,
  INITIALIZE,
  MODERN,
  openGuard,
} from "./open-guard.ts";
import { pause, until } from "../gateway/until.ts";

endGuards();

test("a session of the older era: opened, listed, called, refused", async () => {
  const open = await openGuard();
  open.say(INITIALIZE, { jsonrpc: "2.0", method: "notifications/initialized" });
  expect((await open.answerTo("init")).result).toMatchObject({
    capabilities: { tools: {} },
  });
  open.say({ jsonrpc: "2.0", id: 1, method: "tools/list" });
  const listed = await open.answerTo(1);
  expect(listed.result?.["tools"].map((t: { name: string }) => t.name)).toEqual(
    ["read_file", "search_docs"],
  );
  open.say(call(2), call(3, "delete_all"));
  expect((await open.answerTo(2)).result?.["isError"]).toBeUndefined();
  const refused = await open.answerTo(3);
  expect(refused.result?.["isError"]).toBe(true);
  expect(refused.result?.["content"][0].text).toMatch(
    /^policy_denied: the tool `delete_all` of `demo` is not allowed here/,
  );
  expect(open.received().join("\n")).not.toContain("delete_all");
  // What the policy closes is not offered to the server.
  expect(JSON.parse(open.received()[0] ?? "").params.capabilities).toEqual({});
});

test("one byte at a time is a line like any other, and a character may be split", async () => {
  const open = await openGuard();
  const bytes = Buffer.from(
    `${JSON.stringify(call(1, "read_file", { t: "æ漢😀" }))}\n`,
  );
  for (const byte of bytes) {
    open.input.write(Buffer.from([byte]));
    await Promise.resolve();
  }
  const answer = await open.answerTo(1);
  expect(JSON.parse(answer.result?.["content"][0].text).arguments.t).toBe(
    "æ漢😀",
  );
});

const good = JSON.stringify(call(1));
const bad = JSON.stringify(call(2, "delete_all"));

test.each([
  ["a carriage return before the line feed", `${good}\r\n`],
  ["blank lines", `\n   \n\r\n \t\r\n${good}\n`],
])("%s is tolerated, and not passed on", async (_what, text) => {
  const open = await openGuard();
  open.input.write(text);
  await open.answerTo(1);
  expect(open.received()).toEqual([good]);
  expect(open.answers).toHaveLength(1);
});

test.each([
  ["a carriage return inside", `${good}\r${bad}\n`],
  ["a carriage return between members", `${good.replace(",", ",\r")}\n`],
  ["a line separator outside a string", `${good}\u2028${bad}\n`],
  ["a byte order mark", `\ufeff${good}\n`],
  ["a NUL", `${good.slice(0, -1)}\u0000}\n`],
  [
    "bytes that are no UTF-8",
    Buffer.from(`${good.replace("read", "\xc3\x28")}\n`, "latin1"),
  ],
  ["several messages as one", `[${good},${bad}]\n`],
  ["a header of another framing", `Content-Length: 88\r\n`],
  [
    "a name that stands twice",
    `${good.replace('"name":', '"name":"delete_all","name":')}\n`,
  ],
])(
  "%s is refused, with an error and a line in the log",
  async (_what, bytes) => {
    const open = await openGuard();
    open.input.write(bytes);
    open.say(call(9));
    await open.answerTo(9);
    expect(
      open.answers.map(({ id, error }) => [id, error === undefined]),
    ).toEqual([
      [undefined, false],
      [9, true],
    ]);
    expect(open.received()).toHaveLength(1);
    expect(open.records.map((r) => [r.effect, r.rule])).toEqual([
      ["deny", "malformed"],
      ["allow", "tools.allow"],
    ]);
  },
);

test("a pretty-printed message is as many mistakes as it has lines, and nothing is passed on", async () => {
  const open = await openGuard();
  open.input.write(`${JSON.stringify(call(1), null, 1)}\n`);
  open.say(call(9));
  await open.answerTo(9);
  expect(open.received()).toHaveLength(1);
  expect(open.answers.filter((a) => a.id === 1)).toEqual([]);
});

test("characters that some readers take for line ends reach the server as escapes", async () => {
  const open = await openGuard();
  open.say(call(1, "read_file", { t: "a\u2028b\u2029c\u0085d" }));
  const answer = await open.answerTo(1);
  expect(open.received()[0]).toContain("a\\u2028b\\u2029c\\u0085d");
  expect(open.text()).not.toMatch(/[\u2028\u2029\u0085]/);
  expect(JSON.parse(answer.result?.["content"][0].text).arguments.t).toBe(
    "a\u2028b\u2029c\u0085d",
  );
});

test("a line that is not ended is no message, even if it could be read", async () => {
  const open = await openGuard();
  open.input.end(good);
  expect(await open.guard.ended).toEqual({ kind: "closed" });
  expect(open.received()).toEqual([]);
  expect(open.records.map((r) => r.rule)).toEqual(["malformed"]);
});

test("a line above `limits.request` is refused while it still comes, and the next is read", async () => {
  const open = await openGuard({ limits: { request: 1_000 } });
  open.input.write(`${good.slice(0, -1)},"x":"`);
  for (let i = 0; i < 50; i++) open.input.write("A".repeat(1_000));
  await until(() => open.answers.length === 1);
  expect(open.answers[0]?.error?.message).toContain(
    "larger than `limits.request`",
  );
  open.input.write(`"}\n${JSON.stringify(call(9))}\n`);
  await open.answerTo(9);
  expect(open.answers).toHaveLength(2);
  expect(open.received()).toHaveLength(1);
});

test("what asks for no answer gets none, and is in the log", async () => {
  const open = await openGuard();
  open.say(
    { jsonrpc: "2.0", method: "tools/call", params: { name: "delete_all" } },
    { jsonrpc: "2.0", id: 5, result: { roots: [] } },
    {
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId: 99 },
    },
    call(9),
  );
  await open.answerTo(9);
  expect(open.answers).toHaveLength(1);
  expect(open.received()).toHaveLength(1);
  expect(open.records.map((r) => r.effect)).toEqual(["deny", "deny", "allow"]);
});

test("any other request that is refused gets an error of our own code", async () => {
  const open = await openGuard();
  open.say({ jsonrpc: "2.0", id: 1, method: "resources/list" });
  expect((await open.answerTo(1)).error?.code).toBe(4030);
  expect(open.received()).toEqual([]);
});

test("a name full of control characters is one escaped line of the log", async () => {
  const open = await openGuard();
  open.say(call(1, "a\u0000\n"));
  await open.answerTo(1);
  expect(open.records[0]?.tool).toBe("a\\u{0}\\u{a}");
});

test("a probe of the newer era reaches the server, and its answer comes back as it is", async () => {
  const open = await openGuard();
  open.say({
    jsonrpc: "2.0",
    id: "d",
    method: "server/discover",
    params: { _meta: MODERN },
  });
  expect((await open.answerTo("d")).error).toEqual({
    code: -32601,
    message: "Method not found",
  });
  expect(open.received()).toHaveLength(1);
});

test("an id that is in use, or whose answer was given up, is not taken again", async () => {
  const open = await openGuard({
    script: "process.stdin.resume()",
    limits: { call: 100 },
  });
  open.say(call(1));
  open.say(call(1));
  await until(() => open.answers.length === 1);
  expect(open.answers[0]?.error?.message).toContain("in use");
  await until(() => open.answers.length === 2);
  open.say(call(1));
  await until(() => open.answers.length === 3);
  expect(open.answers[2]?.error?.message).toContain("in use");
});

test("a call that cannot be logged is refused and not passed on", async () => {
  const open = await openGuard({ log: () => false });
  open.say(call(1));
  expect((await open.answerTo(1)).result?.["content"][0].text).toContain(
    "the log cannot be written",
  );
  expect(open.received()).toEqual([]);
});

test("a cancellation reaches the server, and a late answer the agent no more", async () => {
  const open = await openGuard({
    script: `
      let text = "";
      process.stdin.on("data", (c) => {
        text += c;
        if (!text.includes("cancelled")) return;
        console.log('{"jsonrpc":"2.0","id":1,"result":{"content":[]}}');
        console.log('{"jsonrpc":"2.0","id":2,"result":{"content":[]}}');
      });`,
  });
  open.say(call(1), call(2));
  open.say({
    jsonrpc: "2.0",
    method: "notifications/cancelled",
    params: { requestId: 1 },
  });
  await open.answerTo(2);
  await pause(50);
  expect(open.answers.map((a) => a.id)).toEqual([2]);
});

test("an agent that goes away is noticed while its server takes nothing any more", async () => {
  const open = await openGuard({ argv: ["sleep", "1000"] });
  // Until neither the server's pipe nor the guard takes more.
  for (let id = 0; open.input.writableLength === 0; id++) {
    open.say(call(id, "read_file", { t: "x".repeat(200_000) }));
    await pause(20);
  }
  open.input.end();
  expect(await open.guard.ended).toEqual({ kind: "closed" });
}, 60_000);
