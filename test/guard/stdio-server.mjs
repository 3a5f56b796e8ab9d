// A server over standard input and output for tests of the guard: it answers every call, and does as its first argument
// says beside that. What it receives goes into the file that RECEIVED names.
import { appendFileSync } from "node:fs";

const say = (text) => process.stdout.write(`${text}\n`);
const answer = (id, result) =>
  say(JSON.stringify({ jsonrpc: "2.0", id, result }));

const TOOLS = ["read_file", "search_docs", "search_admin", "delete_all"];

/** What a message is answered with. */
const ANSWERS = {
  initialize: ({ params }) => ({
    protocolVersion: params.protocolVersion,
    capabilities: { tools: {}, resources: {} },
    serverInfo: { name: "stdio", version: "1" },
  }),
  "tools/list": () => ({
    tools: TOOLS.map((name) => ({ name, inputSchema: { type: "object" } })),
  }),
  "tools/call": ({ params }) => ({
    content: [{ type: "text", text: JSON.stringify(params) }],
  }),
  ping: () => ({}),
};

let rest = "";
process.stdin.setEncoding("utf8");
process.stdin.on("data", (text) => {
  const lines = (rest + text).split("\n");
  rest = lines.pop() ?? "";
  for (const line of lines) take(line);
});

function take(line) {
  if (process.env.RECEIVED) appendFileSync(process.env.RECEIVED, `${line}\n`);
  const message = JSON.parse(line);
  const { id, method } = message;
  if (id === undefined || method === undefined) return;
  const made = ANSWERS[method];
  if (made !== undefined) answer(id, made(message));
  else
    say(
      JSON.stringify({
        jsonrpc: "2.0",
        id,
        error: { code: -32601, message: "Method not found" },
      }),
    );
}
