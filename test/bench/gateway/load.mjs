// Makes the load, in a process of its own. It speaks HTTP over bare sockets, since an HTTP client would cost more than
// what is measured. Every message of the parent is one measurement, and is answered with one.
import { connect } from "node:net";

let ids = 0;
process.send("ready");
process.on("message", async ({ url, session, concurrency, calls, body }) => {
  const sockets = await Promise.all(
    Array.from({ length: concurrency }, () => open(url, session)),
  );
  // The first call of each opens connections behind it, which is not what is measured.
  await Promise.all(sockets.map((socket) => socket.call(body)));
  const times = [];
  let left = calls;
  const began = performance.now();
  await Promise.all(
    sockets.map(async (socket) => {
      while (left-- > 0) {
        const start = performance.now();
        times.push((await socket.call(body)) - start);
      }
    }),
  );
  const seconds = (performance.now() - began) / 1000;
  for (const socket of sockets) socket.close();
  times.sort((a, b) => a - b);
  process.send({ p50: times[times.length >> 1], perSecond: calls / seconds });
});

/** A connection; `call` gives the moment at which the first event, or the answer, was there. */
async function open(url, session) {
  const { hostname, port, pathname } = new URL(url);
  const head = [
    `POST ${pathname} HTTP/1.1`,
    `Host: ${hostname}:${port}`,
    "Content-Type: application/json",
    "Accept: application/json, text/event-stream",
    "Authorization: Bearer placeholder",
    "MCP-Protocol-Version: 2025-11-25",
    `Mcp-Session-Id: ${session}`,
    "Content-Length: ",
  ].join("\r\n");
  const socket = connect({ host: hostname, port, noDelay: true });
  await new Promise((resolve, reject) => {
    socket.once("connect", resolve);
    socket.once("error", reject);
  });
  let text = "";
  let first = 0;
  let waiting = null;
  const fail = (words) =>
    waiting?.reject(new Error(`${url} ${words}\n${text.slice(0, 1_000)}`));
  socket.setEncoding("latin1");
  socket.on("close", () => fail("closed the connection"));
  socket.on("data", (chunk) => {
    text += chunk;
    const end = text.indexOf("\r\n\r\n") + 4;
    if (end < 4) return;
    if (first === 0 && text.length > end) first = performance.now();
    const length = /content-length: (\d+)/i.exec(text.slice(0, end))?.[1];
    const whole =
      length === undefined
        ? text.endsWith("\r\n0\r\n\r\n")
        : text.length >= end + Number(length);
    if (!whole) return;
    if (text.startsWith("HTTP/1.1 200") && text.includes('"result"'))
      waiting.resolve(first);
    else fail("answered");
  });
  return {
    call(body) {
      text = "";
      first = 0;
      // No id comes twice: programs on the official SDK wait for ever when one does.
      const message = body.replaceAll('"ID"', String(++ids));
      socket.write(`${head}${message.length}\r\n\r\n${message}`);
      return new Promise((resolve, reject) => {
        waiting = { resolve, reject };
      });
    },
    close() {
      waiting = null;
      socket.destroy();
    },
  };
}
