// What a server may do to its agent: nothing. Noise, answers that nobody asked for, lists that are none, requests of its
// own, lines without end, and an early death.
import { expect, test } from "vitest";
import { call, endGuards, openGuard, TOKEN } from "./open-guard.ts";
import { pause, until } from "../gateway/until.ts";

endGuards();

/** A server that writes these lines as soon as it is called, and answers what has the id 9. */
const says = (...lines: readonly string[]) => `
  const lines = ${JSON.stringify(lines)};
  let rest = "";
  process.stdin.on("data", (chunk) => {
    const got = (rest + chunk).split("\\n");
    rest = got.pop();
    for (const line of got) {
      const { id, method } = JSON.parse(line);
      if (id === 9) console.log('{"jsonrpc":"2.0","id":9,"result":{"content":[]}}');
      else if (id === 1 && method) for (const each of lines) process.stdout.write(each + "\\n");
      require("node:fs").appendFileSync(process.env.RECEIVED, line + "\\n");
    }
  });`;

const LIST = {
  tools: ["read_file", "delete_all"].map((name) => ({
    name,
    inputSchema: { type: "object" },
  })),
};
const answer = (id: unknown, result: unknown) =>
  JSON.stringify({ jsonrpc: "2.0", id, result });
const list = (id: unknown) => ({ jsonrpc: "2.0", id, method: "tools/list" });

test.each([
  ["a banner", "Server 1.0 listening"],
  ["JSON that is no message", '{"level":"info","msg":"hi"}'],
  ["a message behind a text", `loading...${answer(1, LIST)}`],
  ["a message behind a byte order mark", `\ufeff${answer(1, LIST)}`],
  ["a list in an array", `[${answer(1, LIST)}]`],
  ["a list that nobody asked for", answer(7, LIST)],
  ["an answer with the id as a text", answer("1", LIST)],
  ["a carriage return in a message", answer(1, LIST).replace(",", ",\r")],
])("%s does not reach the agent, and is in the log", async (_what, line) => {
  const open = await openGuard({ script: says(line) });
  open.say(list(1), call(9));
  await open.answerTo(9);
  expect(open.answers.map((a) => a.id)).toEqual([9]);
  expect(open.records.slice(2).map((r) => r.effect)).toEqual(["deny"]);
});

test("a second answer to the same request is dropped", async () => {
  const open = await openGuard({
    script: says(answer(1, LIST), answer(1, LIST)),
  });
  open.say(list(1), call(9));
  await open.answerTo(9);
  expect(open.answers.map((a) => a.id)).toEqual([1, 9]);
  expect(open.text()).not.toContain("delete_all");
});

test("a list in place of a call's result is an error", async () => {
  const open = await openGuard({ script: says(answer(1, LIST)) });
  open.say(call(1));
  const { result } = await open.answerTo(1);
  expect(result?.["isError"]).toBe(true);
  expect(open.text()).not.toContain("delete_all");
});

test("a request of the server is answered here", async () => {
  const request = (id: number, method: string) =>
    JSON.stringify({ jsonrpc: "2.0", id, method, params: {} });
  const open = await openGuard({
    script: says(request(1, "sampling/createMessage"), request(2, "ping")),
  });
  open.say(call(1), call(9));
  await open.answerTo(9);
  await until(() => open.received().length === 4);
  const replies = open
    .received()
    .slice(2)
    .map((line) => JSON.parse(line));
  expect(replies[0]).toMatchObject({ id: 1, error: { code: -32601 } });
  expect(replies[1]).toEqual({ jsonrpc: "2.0", id: 2, result: {} });
  expect(open.text()).not.toContain("sampling");
});

test("a line above `limits.response` fails the call it answers, first or last in it", async () => {
  const text = "x".repeat(20_000);
  const open = await openGuard({
    script: says(
      `{"result":{"content":[{"type":"text","text":"${text}"}]},"jsonrpc":"2.0","id":2}`,
      answer(3, { content: [{ type: "text", text }] }),
    ),
    limits: { response: 10_000 },
  });
  open.say(call(2), call(3), call(1), call(9));
  for (const id of [2, 3]) {
    const { result } = await open.answerTo(id);
    expect(result?.["content"][0].text).toContain("`limits.response`");
  }
  expect((await open.answerTo(9)).result?.["isError"]).toBeUndefined();
});

test("a call without an answer ends after `limits.call`, and the server is told", async () => {
  const open = await openGuard({ script: says(), limits: { call: 200 } });
  open.say(call(1), list(2));
  expect((await open.answerTo(1)).result?.["content"][0].text).toContain(
    "`limits.call`",
  );
  expect((await open.answerTo(2)).error?.message).toContain("`limits.call`");
  await until(() => open.received().length === 4);
  expect(
    open
      .received()
      .slice(2)
      .map((line) => JSON.parse(line)),
  ).toEqual(
    [1, 2].map((requestId) => ({
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId },
    })),
  );
});

test("a server that ends fails what waits, with its exit code, and the guard ends", async () => {
  const open = await openGuard({
    script: `
      console.error("cannot read the key ${TOKEN}\\u001b]0;x\\u0007");
      process.stdin.once("data", () => process.exit(4));`,
    secrets: [TOKEN],
  });
  open.say(call(1), list(2));
  const end = await open.guard.ended;
  expect((await open.answerTo(1)).result?.["content"][0].text).toContain(
    "exit code 4; the last it said: cannot read the key [redacted]\\u{1b}",
  );
  expect((await open.answerTo(2)).error?.message).toContain("exit code 4");
  expect(end).toEqual({
    kind: "server",
    words: "ended with exit code 4",
    lastWords: ["cannot read the key [redacted]\\u{1b}]0;x\\u{7}"],
  });
});

test("what a server wrote before it ended still arrives, a part of a line does not", async () => {
  const open = await openGuard({
    script: `process.stdin.once("data", () => {
      process.stdout.write('{"jsonrpc":"2.0","id":1,"result":{"content":[]}}\\n{"jsonrpc":"2.0","id":2,"res');
      process.exitCode = 1;
      process.stdin.destroy();
    });`,
  });
  open.say(call(1), call(2));
  await open.guard.ended;
  expect((await open.answerTo(1)).result?.["isError"]).toBeUndefined();
  expect((await open.answerTo(2)).result?.["isError"]).toBe(true);
});

test("noise and words are bounded in the log, and counted", async () => {
  const open = await openGuard({
    script: `process.stdin.once("data", () => {
      for (let i = 0; i < 50; i++) {
        process.stdout.write("noise\\n".repeat(1_000));
        process.stderr.write("words\\n".repeat(1_000));
      }
      console.log('{"jsonrpc":"2.0","id":9,"result":{"content":[]}}');
    });`,
  });
  open.say(call(9));
  await open.answerTo(9);
  open.input.end();
  await open.guard.ended;
  for (const rule of ["noise", "stderr"]) {
    const lines = open.records.filter((r) => r.rule === rule);
    expect(lines.length).toBeLessThan(120);
    const counted = lines.map((r) =>
      Number(/^(\d+) more/.exec(r.reason)?.[1] ?? 1),
    );
    expect(counted.reduce((a, b) => a + b, 0)).toBe(50_000);
  }
}, 30_000);

test("a secret in what the server says is taken out, however it is cut into pieces", async () => {
  const open = await openGuard({
    script: `
      const text = "the token is ${TOKEN} and no more\\n";
      (async () => {
        for (const char of text) {
          process.stderr.write(char);
          process.stdout.write(char);
          await new Promise((done) => setImmediate(done));
        }
        process.stderr.write("x".repeat(100_000) + "\\n");
      })();
      process.stdin.resume();`,
    secrets: [TOKEN],
  });
  await until(() => open.records.length === 3, 20_000);
  expect(JSON.stringify(open.records)).not.toContain(TOKEN.slice(0, 8));
  expect(open.records.map((r) => r.reason.slice(0, 60))).toEqual(
    expect.arrayContaining([
      "no message: the token is [redacted] and no more",
      "the server says: the token is [redacted] and no more",
    ]),
  );
  await pause(20);
});

test("a program that cannot be started fails the calls and ends the guard", async () => {
  const open = await openGuard({ argv: ["/nowhere/at/all"] });
  open.say(call(1));
  const end = await open.guard.ended;
  expect(end.kind).toBe("server");
  expect((await open.answerTo(1)).result?.["isError"]).toBe(true);
});
