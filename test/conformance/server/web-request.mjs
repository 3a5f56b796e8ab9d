// Between Node's HTTP and the web's Request and Response, which the protocol's library speaks.
import { Readable } from "node:stream";

/** The signal of the request is aborted when the client goes away before its answer is complete. */
export function toRequest(req, res) {
  const gone = new AbortController();
  res.once("close", () => {
    if (!res.writableFinished) gone.abort();
  });
  const headers = new Headers();
  for (let i = 0; i < req.rawHeaders.length; i += 2)
    headers.append(req.rawHeaders[i], req.rawHeaders[i + 1]);
  return new Request(new URL(req.url, `http://${req.headers.host}`), {
    method: req.method,
    headers,
    signal: gone.signal,
    ...(req.method === "POST"
      ? { body: Readable.toWeb(req), duplex: "half" }
      : {}),
  });
}

/** Each chunk is sent as soon as it is there. */
export async function sendResponse(response, res) {
  res.writeHead(response.status, Object.fromEntries(response.headers));
  if (response.body === null) return void res.end();
  res.flushHeaders();
  const reader = response.body.getReader();
  res.once("close", () => reader.cancel().catch(() => {}));
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return void res.end();
    res.write(value);
  }
}
