// A stdio MCP server that writes down how it was started and what it was asked:
//   node mcp-stdio-server.mjs LOG NAME TOOL,TOOL ARG…
import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { NEVER_ANSWERS, reply } from "./mcp-http-server.mjs";

const [log, name, tools, ...rest] = process.argv.slice(2);
const note = (entry) =>
  appendFileSync(log, `${JSON.stringify({ server: name, ...entry })}\n`);

note({ started: { args: rest, env: process.env, cwd: process.cwd() } });

createInterface({ input: process.stdin })
  .on("line", (line) => {
    if (line.trim() === "") return;
    const message = JSON.parse(line);
    note({
      rpc: message.method,
      tool: message.method === "tools/call" ? message.params.name : undefined,
    });
    if (message.id === undefined || message.method === undefined) return;
    if (message.params?.name === NEVER_ANSWERS) return;
    const answer = reply(message, name, tools.split(","));
    process.stdout.write(
      `${JSON.stringify({ jsonrpc: "2.0", id: message.id, ...answer })}\n`,
    );
  })
  .on("close", () => process.exit(0));
