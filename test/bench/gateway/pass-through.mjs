// The least that a proxy must do, on the same two libraries as the gateway: a request and its body go on, the answer
// streams back, nothing is read. `pass-through.mjs PORT`.
import { createServer } from "node:http";
import { Pool } from "undici";

const pool = new Pool(`http://127.0.0.1:${process.argv[2]}`);
/** What belongs to one connection and not to a message. */
const OF_CONNECTION = ["host", "connection", "keep-alive", "transfer-encoding"];

createServer({ keepAliveTimeout: 120_000 }, (req, res) => {
  const { method, url: path } = req;
  pool.stream(
    { method, path, headers: endToEnd(req.headers), body: req },
    ({ statusCode, headers }) => res.writeHead(statusCode, endToEnd(headers)),
    (error) => {
      if (error !== null) res.destroy();
    },
  );
}).listen(0, "127.0.0.1", function listening() {
  process.send(this.address().port);
});

function endToEnd(headers) {
  const kept = { ...headers };
  for (const name of OF_CONNECTION) delete kept[name];
  return kept;
}
