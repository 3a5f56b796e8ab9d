// A session bus that misbehaves: what no keychain program of a distribution does, and what must not hang a list.
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { busAddress, callBus } from "../../src/vault/bus.ts";
import { decodeMessage, encodeCall } from "../../src/vault/bus-message.ts";

const CALL = {
  destination: "org.freedesktop.secrets",
  path: "/org/freedesktop/secrets",
  interface: "org.freedesktop.Secret.Service",
  member: "SearchItems",
  argument: { service: "fenzi", username: "linear 0" },
};

const folder = mkdtempSync(join(tmpdir(), "fenzi-bus-"));
let server: Server | null = null;
const sockets = new Set<Socket>();

/** Listens as a bus that answers what it is sent with `answer`. */
async function listen(answer: (sent: Buffer, socket: Socket) => void) {
  const path = join(folder, "bus");
  const listening = createServer((socket) => {
    sockets.add(socket);
    socket.on("data", (sent) => answer(sent, socket));
    socket.on("error", () => undefined);
  });
  server = listening;
  await new Promise<void>((done) => listening.listen(path, done));
  return { DBUS_SESSION_BUS_ADDRESS: `unix:path=${path},guid=00` };
}

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  await new Promise((done) =>
    server === null ? done(null) : server.close(done),
  );
  server = null;
  rmSync(join(folder, "bus"), { force: true });
});

describe("a call on the session's bus", () => {
  test("finds the socket in the address, or in the runtime folder", () => {
    expect(busAddress({})).toBeNull();
    expect(busAddress({ DBUS_SESSION_BUS_ADDRESS: "autolaunch:" })).toBeNull();
    expect(busAddress({ XDG_RUNTIME_DIR: "/run/user/7" })).toBe(
      "/run/user/7/bus",
    );
    expect(
      busAddress({
        DBUS_SESSION_BUS_ADDRESS: "tcp:host=h,port=1;unix:guid=1,path=/a%20b",
        XDG_RUNTIME_DIR: "/r",
      }),
    ).toBe("/a b");
    expect(
      busAddress({ DBUS_SESSION_BUS_ADDRESS: "unix:abstract=/tmp/x,guid=1" }),
    ).toBe("\0/tmp/x");
  });

  test("ends within its time when nothing answers", async () => {
    const env = await listen(() => undefined);
    const start = performance.now();
    expect(await callBus({ env, uid: 0 }, CALL, 200)).toEqual({
      failure: "the session's D-Bus does not answer",
    });
    expect(performance.now() - start).toBeLessThan(2000);
  });

  test("ends within its time when the bus accepts us and then says nothing", async () => {
    const env = await listen((sent, socket) => {
      if (sent.includes("AUTH")) socket.write("OK 00\r\n");
    });
    expect(await callBus({ env, uid: 0 }, CALL, 200)).toHaveProperty("failure");
  });

  test.each<[string, (sent: Buffer, socket: Socket) => void, RegExp]>([
    [
      "refuses the user",
      (_, socket) => socket.write("REJECTED EXTERNAL\r\n"),
      /refuses this user/,
    ],
    ["hangs up", (_, socket) => socket.end(), /closed the connection/],
    [
      "sends noise",
      (_, socket) =>
        socket.write(
          Buffer.concat([Buffer.from("OK 0\r\n"), Buffer.alloc(64, 0xff)]),
        ),
      /no message/,
    ],
  ])("says so when the bus %s", async (_, answer, words) => {
    const env = await listen(answer);
    const called = await callBus({ env, uid: 0 }, CALL, 5000);
    expect("failure" in called ? called.failure : "").toMatch(words);
  });

  test("says so when nobody listens", async () => {
    const env = {
      DBUS_SESSION_BUS_ADDRESS: `unix:path=${join(folder, "none")}`,
    };
    expect(await callBus({ env, uid: 0 }, CALL, 5000)).toEqual({
      failure: "the session's D-Bus cannot be reached",
    });
  });

  test("is a message that can be taken off a stream at any cut", () => {
    const bytes = encodeCall(2, CALL);
    for (let cut = 0; cut < bytes.length; cut++)
      expect(decodeMessage(bytes.subarray(0, cut))).toBeNull();
    const whole = decodeMessage(Buffer.concat([bytes, bytes]));
    expect(whole?.length).toBe(bytes.length);
    expect(whole?.answer).toMatchObject({
      type: 1,
      replySerial: null,
      littleEndian: true,
    });
    expect(whole?.answer.body.includes("linear 0")).toBe(true);
  });
});
