// Clients that are slow, too large, or gone: each costs its own call and nobody else's.
import { connect, type Socket } from "node:net";
import { expect, test } from "vitest";
import { call, halfOpen, openStream, post, postBytes } from "./client.ts";
import { pause, until } from "./until.ts";
import { endWorlds, openWorld } from "./world.ts";

endWorlds();

const MIB = 1024 * 1024;

interface Line {
  readonly socket: Socket;
  /** All that came back, once the other side has closed. */
  readonly answer: Promise<string>;
  readonly gone: () => boolean;
}

function lineTo(url: string): Line {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).setNoDelay(true);
  let text = "";
  let gone = false;
  socket.on("data", (chunk: Buffer) => (text += chunk.toString()));
  socket.on("error", () => {});
  return {
    socket,
    gone: () => gone,
    answer: new Promise((resolve) =>
      socket.on("close", () => {
        gone = true;
        resolve(text);
      }),
    ),
  };
}

/** Sends the first part and then a byte at a time, with a while between them. */
async function dribble(
  url: string,
  atOnce: string,
  rest: string,
  milliseconds: number,
): Promise<string> {
  const line = lineTo(url);
  line.socket.write(atOnce);
  for (const byte of rest) {
    if (line.gone()) break;
    line.socket.write(byte);
    await pause(milliseconds);
  }
  return line.answer;
}

test("a client that sends its head or its body a byte at a time is left in the end, and nobody waits for it", async () => {
  const { url, server, records } = await openWorld(undefined, {
    bounds: { headTime: 1_000, requestTime: 1_500 },
  });
  const whole = postBytes(url, call("read_file", { path: "x".repeat(5_000) }));
  const body = whole.indexOf("\r\n\r\n") + 4;
  const slow = [
    dribble(url, "", whole, 20),
    dribble(url, whole.slice(0, body), whole.slice(body), 20),
  ];
  expect((await post(url, call("read_file"))).status).toBe(200);
  for (const answer of await Promise.all(slow))
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
  expect(server.received).toHaveLength(1);
  expect(records).toHaveLength(1);
});

test("a client that is slow but within its time gets its answer", async () => {
  const { url } = await openWorld(undefined, {
    bounds: { headTime: 200_000, requestTime: 200_000 },
  });
  const text = postBytes(url, call("read_file")).replace(
    "content-length",
    "connection: close\r\ncontent-length",
  );
  expect(await dribble(url, "", text, 1)).toMatch(/^HTTP\/1\.1 200 /);
});

const headOf = (url: string, length: string): string =>
  postBytes(url, "").replace("content-length: 0", length);

test("a request that says it has 100 MiB is refused before it sends them", async () => {
  const { url, server } = await openWorld();
  const { socket, answer } = lineTo(url);
  socket.write(headOf(url, `content-length: ${100 * MIB}`));
  expect(await answer).toMatch(/^HTTP\/1\.1 413 /);
  expect(server.received).toEqual([]);
});

test("a request of 100 MiB that does not say so is stopped", async () => {
  const { url, server } = await openWorld();
  const { socket, gone, answer } = lineTo(url);
  socket.write(headOf(url, "transfer-encoding: chunked"));
  let sent = 0;
  for (; !gone() && sent < 100; sent++)
    if (!socket.write(`100000\r\n${" ".repeat(MIB)}\r\n`))
      await until(() => gone() || socket.writableLength === 0);
  // A client that goes on sending may lose the answer to the reset of its connection.
  expect(await answer).toMatch(/^(?:$|HTTP\/1\.1 413 )/);
  expect(sent).toBeLessThan(100);
  expect(server.received).toEqual([]);
});

// Closing would wait for whatever is under way; a test that passes saw that nothing is.
const PATIENT = { bounds: { closing: 3_600_000 } };

test("a client that goes away in the middle ends the call at the server", async () => {
  const { url, server, gateway } = await openWorld(() => {}, PATIENT);
  const client = halfOpen(url, call("read_file"));
  await until(() => server.received.length === 1);
  client.destroy();
  await until(() => server.received[0]?.aborted() === true);
  await gateway.close();
});

test("a client that goes away in the middle of a stream ends it at the server", async () => {
  const { url, server, gateway } = await openWorld((_received, res) => {
    res.writeHead(200, { "content-type": "text/event-stream" });
    res.write(
      'data: {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n\n',
    );
  }, PATIENT);
  const stream = openStream(url, call("read_file"));
  await until(() => stream.pieces.length === 1);
  stream.stop();
  await until(() => server.received[0]?.aborted() === true);
  await gateway.close();
});
