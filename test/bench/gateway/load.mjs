// Makes the load, in a process of its own. It speaks HTTP over bare sockets, since an HTTP client would cost more than
// what is measured. Every message from the parent is one measurement; the answer is a message too.
import { connect } from "node:net";

let nextId = 1;

process.send("ready");
process.on("message", async (task) => {
  const { url, session, concurrency, calls, body } = task;
  const sockets = await Promise.all(
    Array.from({ length: concurrency }, () => open(url, session)),
  );
  // Everybody's first call goes over a new connection, which is not what is measured.
  await Promise.all(sockets.map((socket) => socket.call(body)));
  const times = [];
  let left = calls;
  const began = performance.now();
  await Promise.all(
    sockets.map(async (socket) => {
      while (left-- > 0) {
        const start = performance.now();
        const first = await socket.call(body);
        times.push(first - start);
      }
    }),
  );
  const seconds = (performance.now() - began) / 1000;
  for (const socket of sockets) socket.close();
  times.sort((a, b) => a - b);
  process.send({
    p50: times[times.length >> 1],
    p99: times[Math.floor(times.length * 0.99)],
    perSecond: times.length / seconds,
  });
});

/** One connection that sends a call and waits for its answer. */
async function open(url, session) {
  const { hostname, port, pathname } = new URL(url);
  const socket = connect({ host: hostname, port, noDelay: true });
  let text = "";
  let first = 0;
  let done = null;
  let fail = null;
  const settle = (error) => {
    const [resolve, reject] = [done, fail];
    done = fail = null;
    if (error !== null) reject?.(error);
    else resolve?.(first);
  };
  socket.setEncoding("latin1");
  socket.on("error", settle);
  socket.on("close", () => settle(new Error(`${url} closed the connection`)));
  await new Promise((resolve) => socket.once("connect", resolve));
  socket.on("data", (chunk) => {
    text += chunk;
    const end = text.indexOf("\r\n\r\n");
    if (end < 0) return;
    // The moment of the first event, or of the answer.
    if (first === 0 && text.length > end + 4) first = performance.now();
    const length = /content-length: (\d+)/i.exec(text.slice(0, end))?.[1];
    const whole =
      length === undefined
        ? text.endsWith("\r\n0\r\n\r\n")
        : text.length >= end + 4 + Number(length);
    if (!whole) return;
    const right = text.startsWith("HTTP/1.1 200") && text.includes('"result"');
    settle(right ? null : new Error(`${url} answered\n${text.slice(0, 1000)}`));
  });
  const head = [
    `POST ${pathname} HTTP/1.1`,
    `Host: ${hostname}:${port}`,
    "Content-Type: application/json",
    "Accept: application/json, text/event-stream",
    "Authorization: Bearer placeholder",
    "MCP-Protocol-Version: 2025-11-25",
    ...(session === null ? [] : [`Mcp-Session-Id: ${session}`]),
    "Content-Length: ",
  ].join("\r\n");
  return {
    call(body) {
      text = "";
      first = 0;
      // One id is never used twice: programs on the official SDK hang when it is.
      const message = body.replaceAll('"ID"', String(nextId++));
      socket.write(`${head}${message.length}\r\n\r\n${message}`);
      return new Promise((resolve, reject) => {
        done = resolve;
        fail = reject;
      });
    },
    close: () => socket.destroy(),
  };
}
