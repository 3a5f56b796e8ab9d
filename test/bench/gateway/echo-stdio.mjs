// The same server over standard input and output, for programs that put one behind HTTP.
import { createInterface } from "node:readline";

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const result =
    method === "initialize"
      ? {
          protocolVersion: "2025-11-25",
          capabilities: { tools: {} },
          serverInfo: { name: "echo", version: "1" },
        }
      : method === "tools/call"
        ? {
            content: [
              { type: "text", text: JSON.stringify(params.arguments) },
            ],
          }
        : method === "tools/list"
          ? { tools: [] }
          : {};
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`);
});
