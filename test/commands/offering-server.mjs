// A local MCP server for tests: it offers what a JSON file says, read at each request, and talks noise beside it.
import { appendFileSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const [, , file, started] = process.argv;
if (started !== undefined) appendFileSync(started, "started\n");
console.log("this is no message");
console.error("nor is this");
const answer = (id, result) =>
  console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  const { tools, instructions } = JSON.parse(readFileSync(file, "utf8"));
  if (method === "initialize")
    answer(id, {
      protocolVersion: params.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: "offering", version: "1" },
      ...(instructions === undefined ? {} : { instructions }),
    });
  else if (method === "tools/list") answer(id, { tools });
  else if (id !== undefined)
    console.log(
      JSON.stringify({
        jsonrpc: "2.0",
        id,
        error: { code: -32601, message: "no" },
      }),
    );
}
