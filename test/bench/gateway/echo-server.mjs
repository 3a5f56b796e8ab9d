// The server behind everything that is measured: MCP of the older era over HTTP, as little as it can be. It answers a
// call with the arguments it got; a call of `stream` gets an event at once and the answer as a second one. It sends its
// port.
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { resultOf } from "./echo.mjs";

const JSON_TYPE = { "content-type": "application/json" };
const EVENTS_TYPE = { "content-type": "text/event-stream" };
/** Milliseconds between the two events of a stream. */
const PAUSE = 5;

createServer({ keepAliveTimeout: 120_000 }, (req, res) => {
  const chunks = [];
  req.on("data", (chunk) => chunks.push(chunk));
  req.on("end", () => {
    if (req.method === "GET")
      return res.writeHead(200, EVENTS_TYPE).flushHeaders();
    if (req.method === "DELETE") return res.writeHead(204).end();
    const { id, method, params } = JSON.parse(Buffer.concat(chunks));
    if (id === undefined) return res.writeHead(202).end();
    const answer = JSON.stringify({
      jsonrpc: "2.0",
      id,
      result: resultOf(method, params),
    });
    if (params.name !== "stream")
      return res
        .writeHead(
          200,
          method === "initialize"
            ? { ...JSON_TYPE, "mcp-session-id": randomUUID() }
            : JSON_TYPE,
        )
        .end(answer);
    const { progressToken } = params._meta;
    const event = JSON.stringify({
      jsonrpc: "2.0",
      method: "notifications/progress",
      params: { progressToken, progress: 1 },
    });
    res.writeHead(200, EVENTS_TYPE).write(`data: ${event}\n\n`);
    setTimeout(() => res.end(`data: ${answer}\n\n`), PAUSE);
  });
}).listen(0, "127.0.0.1", function listening() {
  process.send(this.address().port);
});
