// What happens to a call between its judgement and its line in the log, which may be written with others.
import { expect, test } from "vitest";
import { call, post, rpc } from "./client.ts";
import { answerWith, OK_RESULT, type Respond } from "./fake-server.ts";
import { until } from "./until.ts";
import { endWorlds, openWorld } from "./world.ts";

endWorlds();

/** A gateway whose lines stand when `write` says so. */
async function openHeld(respond?: Respond) {
  const waiting: (() => void)[] = [];
  const world = await openWorld(respond, {
    written: (go) => void waiting.push(go),
  });
  return {
    ...world,
    waiting,
    write() {
      for (const go of waiting.splice(0)) go();
    },
  };
}

test("a call goes out when its line stands, and its id is taken before", async () => {
  const { url, server, waiting, write } = await openHeld((received, res) =>
    received.message?.method === "initialize"
      ? answerWith(
          { protocolVersion: "2025-11-25", capabilities: {} },
          { "mcp-session-id": "upstream-1" },
        )(received, res)
      : answerWith(OK_RESULT)(received, res),
  );
  const opening = post(
    url,
    rpc("initialize", {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "a", version: "1" },
    }),
  );
  await until(() => waiting.length === 1);
  write();
  const session = String((await opening).headers["mcp-session-id"]);
  const within = { headers: { "mcp-session-id": session } };

  const first = post(url, call("read_file"), within);
  await until(() => waiting.length === 1);
  expect((await post(url, call("read_file"), within)).status).toBe(400);
  expect(server.received).toHaveLength(1);
  write();
  expect((await first).status).toBe(200);
  expect(server.received).toHaveLength(2);
});

test("two clients with one id whose lines wait get their own answers", async () => {
  const { url, server, waiting, write } = await openHeld();
  const both = [post(url, call("read_file")), post(url, call("read_file"))];
  await until(() => waiting.length === 2);
  write();
  for (const { json } of await Promise.all(both)) expect(json?.id).toBe(1);
  const [a, b] = server.received.map(({ message }) => message?.id);
  expect(a).not.toEqual(b);
});

test("a call whose client has gone meanwhile does not go out", async () => {
  const { url, server, waiting, write } = await openHeld();
  const gone = new AbortController();
  const asked = fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
    body: call("read_file"),
    signal: gone.signal,
  });
  await until(() => waiting.length === 1);
  const held = waiting.splice(0);
  gone.abort();
  await expect(asked).rejects.toThrow();
  // The gateway has seen it when the one after it, over the same loop, has been answered.
  const other = post(url, call("read_file", {}, 2));
  await until(() => waiting.length === 1);
  write();
  expect((await other).status).toBe(200);
  for (const go of held) go();
  const last = post(url, call("read_file", {}, 3));
  await until(() => waiting.length === 1);
  write();
  await last;
  expect(server.received.map(({ message }) => message?.id)).toEqual([2, 3]);
});

test("a gateway that closes answers what waits, and sends nothing any more", async () => {
  const { url, server, gateway, waiting, write } = await openHeld();
  const asked = post(url, call("read_file"));
  await until(() => waiting.length === 1);
  const closed = gateway.close();
  expect((await asked).status).toBe(502);
  await closed;
  write();
  expect(server.received).toHaveLength(0);
});
