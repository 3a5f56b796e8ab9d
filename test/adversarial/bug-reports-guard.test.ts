// Public bug reports of other programs that start servers and speak to them over standard input and output, each as a
// small exchange that must come out right through a guard. `MOOT` says what shows a report instead.
import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { call, endGuards, INITIALIZE, openGuard } from "../guard/open-guard.ts";
import { until } from "../gateway/until.ts";

endGuards();

const PROCESS = "test/guard/program.test.ts";
const MOOT: Readonly<Record<string, string>> = {
  b118: "one agent stands before a guard, and each has a server of its own",
  b120: `the end of the agent's side ends the server: ${PROCESS}`,
  b123: "the group is ended and waited for: test/guard/launch-server.test.ts",
  b125: "the group is ended and waited for: test/guard/launch-server.test.ts",
  b135: "of event streams: test/enforce/event-stream.test.ts",
  b155: "one agent stands before a guard, and each has a server of its own",
  b158: `servers end with their guard: ${PROCESS}`,
  b159: `what is always there, and what \`env\` adds: ${PROCESS}`,
  b160: "the steps of ending a server: test/guard/launch-server.test.ts",
  b163: "the group is ended and waited for: test/guard/launch-server.test.ts",
  b175: "proxy variables are not among those that a server gets, and connections to remote servers use none",
};

/** Answers every request after `before` was done once. */
const answering = (before: string): string => `
  let text = "";
  let once = false;
  process.stdin.on("data", (chunk) => {
    if (!once) { once = true; ${before} }
    const lines = (text + chunk).split("\\n");
    text = lines.pop();
    for (const line of lines) {
      const { id, params } = JSON.parse(line);
      console.log(JSON.stringify({ jsonrpc: "2.0", id, result: { content: [{ type: "text", text: JSON.stringify(params.arguments) }] } }));
    }
  });`;

test("b119, b162: a server that ends during the opening is an error at once, with its code and its last words", async () => {
  const open = await openGuard({
    script: `process.stdin.once("data", () => { console.error("first\\nno such database"); process.exitCode = 1; process.stdin.destroy(); });`,
  });
  open.say(INITIALIZE);
  const { error } = await open.answerTo("init");
  expect(error?.message).toContain("exit code 1");
  expect(error?.message).toContain("no such database");
  expect(await open.guard.ended).toMatchObject({
    lastWords: ["first", "no such database"],
  });
});

test("b127: a server that says much on standard error is not blocked by it", async () => {
  const open = await openGuard({
    script: answering(
      `for (let i = 0; i < 2_000; i++) require("fs").writeSync(2, "y".repeat(999) + "\\n");`,
    ),
  });
  open.say(call(1));
  await open.answerTo(1);
});

test("b128: large messages go both ways at once", async () => {
  const open = await openGuard({ script: answering("") });
  const text = "x".repeat(300_000);
  open.say(
    ...Array.from({ length: 20 }, (_, id) => call(id, "read_file", { text })),
  );
  for (let id = 0; id < 20; id++)
    expect((await open.answerTo(id)).result?.["content"][0].text).toHaveLength(
      text.length + 11,
    );
}, 30_000);

test("b131: a server that waits for another framing is an error that says how long was waited", async () => {
  const open = await openGuard({
    script: "process.stdin.resume()",
    limits: { call: 300 },
  });
  open.say(INITIALIZE);
  expect((await open.answerTo("init")).error?.message).toContain(
    "within 0.3 s (`limits.call`)",
  );
});

test("b132, b133: what is no message is left out, and the session goes on", async () => {
  const open = await openGuard({
    script: answering(
      `console.log("My Server version : 1.2"); console.log('{"level":"info","msg":"up"}');`,
    ),
  });
  open.say(call(1), call(2));
  await open.answerTo(2);
  expect(open.answers.map(({ id }) => id)).toEqual([1, 2]);
  await until(
    () => open.records.filter(({ effect }) => effect === "deny").length === 2,
  );
});

test("b136: lengths are counted in bytes", async () => {
  const open = await openGuard({
    script: answering(""),
    limits: { request: 400 },
  });
  open.say(
    call(1, "read_file", { text: "é😀" }),
    call(2, "read_file", { text: "漢".repeat(110) }),
  );
  open.say(call(3));
  await open.answerTo(3);
  expect((await open.answerTo(1)).result?.["content"][0].text).toContain("é😀");
  expect(open.answers.some(({ id }) => id === 2)).toBe(false);
  expect(open.records.map(({ rule }) => rule)).toContain("malformed");
});

test("every report of these areas is replayed or says where it is shown", () => {
  const file = "../shared/cases/bug-reports.jsonl";
  if (!existsSync(file)) return;
  const own = readFileSync(import.meta.filename, "utf8");
  const reports = readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as { id: string; area: string })
    .filter(({ area }) => area === "process" || area === "framing");
  expect(
    reports
      .filter(
        ({ id }) =>
          !(id in MOOT) && !new RegExp(`^test\\(.*\\b${id}\\b`, "m").test(own),
      )
      .map(({ id }) => id),
  ).toEqual([]);
});
