// The server behind everything that is measured: MCP of the older era over HTTP, as little as it can be. It answers a
// call with the text it got; a call of `stream` gets an event at once and the answer as a second one. Sends its port.
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";

const JSON_TYPE = { "content-type": "application/json" };

createServer({ keepAliveTimeout: 120_000 }, (req, res) => {
  const chunks = [];
  req.on("data", (chunk) => chunks.push(chunk));
  req.on("end", () => {
    if (req.method === "GET") return void openStream(res);
    if (req.method !== "POST") return void res.writeHead(204).end();
    const { id, method, params } = JSON.parse(Buffer.concat(chunks));
    if (id === undefined) return void res.writeHead(202).end();
    const answer = (result) => JSON.stringify({ jsonrpc: "2.0", id, result });
    if (method === "initialize")
      return void res
        .writeHead(200, { ...JSON_TYPE, "mcp-session-id": randomUUID() })
        .end(
          answer({
            protocolVersion: "2025-11-25",
            capabilities: { tools: {} },
            serverInfo: { name: "echo", version: "1" },
          }),
        );
    const text = JSON.stringify(params.arguments);
    const called = answer({ content: [{ type: "text", text }] });
    if (params.name !== "stream")
      return void res.writeHead(200, JSON_TYPE).end(called);
    res.writeHead(200, { "content-type": "text/event-stream" });
    const { progressToken } = params._meta;
    const progress = { progressToken, progress: 1 };
    res.write(
      `data: ${JSON.stringify({ jsonrpc: "2.0", method: "notifications/progress", params: progress })}\n\n`,
    );
    setTimeout(() => res.end(`data: ${called}\n\n`), 5);
  });
}).listen(0, "127.0.0.1", function listening() {
  process.send(this.address().port);
});

function openStream(res) {
  res.writeHead(200, { "content-type": "text/event-stream" });
  res.flushHeaders();
}
