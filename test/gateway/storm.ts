// The program of `left-behind.test.ts`: a server, a gateway and many clients; says what it counted as one line of JSON.
import { setTimeout as pause } from "node:timers/promises";
import { call, post, rpc } from "./client.ts";
import {
  answerWith,
  fakeServer,
  OK_RESULT,
  type Respond,
} from "./fake-server.ts";
import { openGateway } from "./open-gateway.ts";

/** Bytes of the heap and of buffers, after a full collection. */
async function memory(): Promise<number> {
  // What was closed is let go a few turns later.
  for (let i = 0; i < 5; i++) {
    await pause(20);
    gc?.();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const atOnce = <T>(count: number, start: (i: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, i) => start(i)));

async function sessions() {
  const server = await fakeServer((received, res) =>
    received.method === "DELETE"
      ? void res.writeHead(200).end()
      : answerWith(
          { protocolVersion: "2025-11-25", capabilities: {} },
          { "mcp-session-id": "s" },
        )(received, res),
  );
  const { gateway, url, records } = await openGateway({ url: server.url });
  const open = async (): Promise<string> => {
    const got = await post(
      url,
      rpc("initialize", {
        protocolVersion: "2025-11-25",
        capabilities: {},
        clientInfo: { name: "a", version: "1" },
      }),
    );
    return String(got.headers["mcp-session-id"]);
  };
  const end = (id: string) =>
    post(url, "", {
      method: "DELETE",
      headers: { "mcp-session-id": id, "content-type": null },
    });
  const forget = (): void => {
    records.length = server.received.length = 0;
  };
  const round = async (rounds: number): Promise<string[]> => {
    const ids: string[] = [];
    for (let i = 0; i < rounds; i++)
      for (const id of await atOnce(50, open)) ids.push(id);
    return ids;
  };
  const close = async (ids: string[]): Promise<void> => {
    for (let i = 0; i < ids.length; i += 50)
      await Promise.all(ids.slice(i, i + 50).map(end));
  };
  // The code is compiled and the tables have grown once.
  await close(await round(40));
  forget();
  const before = await memory();
  const ids = await round(40);
  forget();
  const during = await memory();
  await close(ids);
  const opened = new Set(ids).size;
  ids.length = 0;
  forget();
  const after = await memory();
  await gateway.close();
  await server.close();
  return {
    opened,
    each: (during - before) / opened,
    left: after - before,
  };
}

/** What the server does with the call of that number. */
const FAULTS: readonly Respond[] = [
  answerWith(OK_RESULT),
  (_received, res) => void res.socket?.resetAndDestroy(),
  (_received, res) => void res.socket?.end("garbage\r\n\r\n"),
  (_received, res) => void res.writeHead(500).end("no"),
  (_received, res) => {
    res.writeHead(200, { "content-type": "text/event-stream" });
    res.write("id: 1\ndata: \n\n", () => res.socket?.resetAndDestroy());
  },
  (_received, res) => {
    res.writeHead(200, { "content-type": "application/json" });
    res.end(Buffer.alloc(1024 * 1024, 0x20));
  },
  ({ message }, res) => {
    res.writeHead(200, { "content-type": "text/event-stream" });
    res.end(
      `data: ${JSON.stringify({ jsonrpc: "2.0", id: message?.id, result: OK_RESULT })}\n\n`,
    );
  },
  // Hangs.
  () => {},
];

async function faults() {
  const server = await fakeServer((received, res) => {
    const { n } = (received.message?.params?.["arguments"] ?? {}) as {
      readonly n?: number;
    };
    return FAULTS[(n ?? 0) % FAULTS.length]?.(received, res);
  });
  const { gateway, url, records } = await openGateway({
    url: server.url,
    limits: { call: 500, response: 64 * 1024 },
  });
  let answers = 0;
  /** Fifty clients whose calls all have the same id. */
  const round = async (): Promise<void> => {
    const got = await atOnce(50, (n) => post(url, call("read_file", { n })));
    answers += got.filter(
      ({ json, events }) =>
        [...(json === null ? [] : [json]), ...events].filter(
          ({ id }) => id === 1,
        ).length === 1,
    ).length;
    server.received.length = 0;
  };
  for (let i = 0; i < 5; i++) await round();
  records.length = answers = 0;
  const before = await memory();
  const rounds = 20;
  for (let i = 0; i < rounds; i++) await round();
  const lines = records.length;
  records.length = 0;
  const after = await memory();
  await gateway.close();
  await server.close();
  return { calls: rounds * 50, answers, lines, left: after - before };
}

const said = await (process.argv[2] === "sessions" ? sessions() : faults());
process.stdout.write(`${JSON.stringify(said)}\n`);
