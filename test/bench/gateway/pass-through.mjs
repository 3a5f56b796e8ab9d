// The least that a proxy must do: take a request, send it on, stream the answer back. `pass-through.mjs PORT`.
import { createServer } from "node:http";
import { Pool } from "undici";

const pool = new Pool(`http://127.0.0.1:${process.argv[2]}`, {
  connections: null,
  pipelining: 1,
});
/** What belongs to one connection and not to a message. */
const OF_CONNECTION = ["host", "connection", "keep-alive", "transfer-encoding"];

createServer({ keepAliveTimeout: 120_000 }, (req, res) => {
  const chunks = [];
  req.on("data", (chunk) => chunks.push(chunk));
  req.on("end", () => {
    const headers = req.rawHeaders.filter(
      (_, i) => !OF_CONNECTION.includes(req.rawHeaders[i & ~1].toLowerCase()),
    );
    const body = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
    pool.dispatch(
      { method: req.method, path: req.url, headers, body },
      {
        onRequestStart() {},
        onResponseStart(_controller, status, answered) {
          for (const name of OF_CONNECTION) delete answered[name];
          res.writeHead(status, answered);
          if (answered["content-type"] === "text/event-stream")
            res.flushHeaders();
        },
        onResponseData: (_controller, chunk) => void res.write(chunk),
        onResponseEnd: () => void res.end(),
        onResponseError: () => void res.destroy(),
      },
    );
  });
}).listen(0, "127.0.0.1", function listening() {
  process.send(this.address().port);
});
