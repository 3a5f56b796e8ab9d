// Every hostile case for standard input and output against a real guard with a real process behind it. What needs the
// program itself (signals, orphans, pipes that nobody reads) is told step by step in `stdio-steps.ts`.
import { describe, expect, test } from "vitest";
import {
  endGuards,
  openGuard,
  TOKEN,
  type OpenGuard,
} from "../guard/open-guard.ts";
import { useProgram } from "../guard/program.ts";
import { pause, until } from "../gateway/until.ts";
import { fill, stdioCases, type StdioCase } from "./stdio-case.ts";
import { STEPS } from "./stdio-steps.ts";

endGuards();
if (stdioCases.length > 0) useProgram();

/** More than the limits below, and no more than a test needs. */
const MOST = 8 * 1024 * 1024;
const LIMITS = { call: 20_000, request: 1024 * 1024, response: 1024 * 1024 };

/** Answers calls with their own id; as soon as something came it says what the case says. Keeps what it receives. */
const server = (c: StdioCase): string => `
  const fs = require("node:fs");
  const { out, err, eof } = ${JSON.stringify({
    out: c.input.server ?? [],
    err: c.input.server_stderr ?? [],
    eof: c.input.eof === true && c.input.server !== undefined,
  })};
  const filled = ${fill.toString()};
  const written = (text) => filled(text, ${JSON.stringify(TOKEN)}, ${MOST});
  let said = false;
  let rest = "";
  process.stdin.on("data", (chunk) => {
    const lines = (rest + chunk).split("\\n");
    rest = lines.pop();
    for (const line of lines) {
      fs.appendFileSync(process.env.RECEIVED, line + "\\n");
      if (!said && out.length + err.length > 0) {
        said = true;
        for (const text of out) process.stdout.write(written(text));
        for (const text of err) process.stderr.write(written(text));
        if (eof) process.stdin.destroy();
      }
      if (out.length + err.length === 0 || line.includes('"id":"last"')) {
        const { id, method } = JSON.parse(line);
        if (id !== undefined && method !== undefined)
          console.log(JSON.stringify({ jsonrpc: "2.0", id, result: { content: [] } }));
      }
    }
  });`;

const LIST = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n';
/** Shows that everything before it has been dealt with. */
const LAST =
  '{"jsonrpc":"2.0","id":"last","method":"tools/call","params":{"name":"read_file","arguments":{}}}\n';

const chunksOf = ({ input }: StdioCase): readonly Buffer[] => {
  if (input.agent_hex !== undefined)
    return [Buffer.from(input.agent_hex, "hex")];
  if (input.agent_latin1 !== undefined)
    return input.agent_latin1.map((text) => Buffer.from(text, "latin1"));
  return (input.agent ?? [LIST]).map((text) =>
    Buffer.from(fill(text, TOKEN, MOST)),
  );
};

async function replay(c: StdioCase): Promise<readonly string[]> {
  const { allow, deny, all } = c.policy;
  const open = await openGuard({
    script: server(c),
    secrets: [TOKEN],
    limits: LIMITS,
    tools: all ? "all" : JSON.stringify({ allow, deny }),
  });
  const chunks = chunksOf(c);
  for (const chunk of chunks) {
    open.input.write(chunk);
    await Promise.resolve();
  }
  const ended = chunks.at(-1)?.at(-1) === 0x0a;
  if (c.expect.outcome === "error_to_agent") await open.guard.ended;
  else if (c.input.eof === true) {
    open.input.end();
    await open.guard.ended;
  } else {
    if (ended) open.input.write(LAST);
    await (ended
      ? open.answerTo("last")
      : until(() => open.answers.length > 0, 20_000));
  }
  await pause(50);
  return problems(c, open);
}

const isLast = (line: string): boolean => line.includes('"last"');

/** What is wrong with what came out, in words. */
async function problems(
  c: StdioCase,
  open: OpenGuard,
): Promise<readonly string[]> {
  const out: string[] = [];
  const wrong = (what: string, is: boolean) => {
    if (is) out.push(what);
  };
  const received = open
    .received()
    .filter((line) => line !== "" && !isLast(line));
  const answers = open.answers.filter(({ id }) => id !== "last");
  const { outcome, forwarded } = c.expect;
  if (forwarded === false)
    wrong("the server got something", received.length > 0);
  if (forwarded === true)
    wrong("the server got nothing", received.length === 0);
  if (Array.isArray(forwarded))
    wrong(
      "the server got another number of messages",
      received.length !== forwarded.filter((each) => each === true).length,
    );
  wrong(
    "the agent learned of a denied tool",
    open.text().includes('"delete_all"'),
  );
  wrong("the agent got a secret", open.text().includes(TOKEN));
  wrong("the log has a secret", JSON.stringify(open.records).includes(TOKEN));
  wrong(
    "the log has control characters",
    open.records.some((record) =>
      /[\u0000-\u001f\u007f]/.test(`${record.tool}${record.reason}`),
    ),
  );
  const refused = open.records.some(({ effect }) => effect === "deny");
  const errors = answers.filter(
    ({ error, result }) => error !== undefined || result?.["isError"] === true,
  );
  switch (outcome) {
    case "allow":
      wrong("there is no answer", answers.length === 0);
      if (c.input.server === undefined)
        wrong("the answer is an error", errors.length > 0);
      break;
    case "allow then deny":
      wrong(
        "not one answer and one error",
        answers.length !== 2 || errors.length !== 1,
      );
      break;
    case "deny":
    case "reject_malformed":
    case "reject_too_large":
      wrong("there is no error", errors.length === 0);
      wrong("the log does not say so", !refused);
      break;
    case "deny_silent":
      wrong("there is an answer", answers.length > 0);
      wrong("the log does not say so", !refused);
      break;
    case "error_to_agent":
    case "shape_error":
      wrong("there is no error", errors.length === 0);
      break;
    case "drop_second":
      wrong("not one answer", answers.length !== 1);
      break;
    case "blocked_and_answered":
      wrong("the agent saw it", open.text().includes("sampling"));
      await until(() =>
        open.received().some((line) => line.includes('"error"')),
      );
      break;
    case "drop":
    case "drain":
    case "limit":
    case "redact":
      wrong(
        "there is an answer",
        answers.some(
          ({ result }) => result !== undefined && result["isError"] !== true,
        ),
      );
      wrong("the log is full of it", open.records.length > 200);
      break;
    default:
      out.push(`nothing is known of the outcome \`${outcome}\``);
  }
  return out;
}

describe("stdio", () => {
  for (const c of stdioCases)
    test(`${c.id}: ${c.title}`, async () => {
      const steps = STEPS[c.id];
      if (steps !== undefined) return steps();
      expect(await replay(c)).toEqual([]);
    }, 60_000);

  test("steps are written only for cases that are there", () => {
    if (stdioCases.length === 0) return;
    const ids = new Set(stdioCases.map(({ id }) => id));
    expect(Object.keys(STEPS).filter((id) => !ids.has(id))).toEqual([]);
  });
});
