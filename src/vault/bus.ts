// One call on the session's D-Bus, within a time: for what must be known about the keychain before its library is
// loaded. That library waits without end for a bus that does not answer, and may put a dialog on the screen.
import { connect, type Socket } from "node:net";
import type { Host } from "../host/host.ts";
import {
  decodeMessage,
  encodeCall,
  type Answer,
  type MethodCall,
} from "./bus-message.ts";

type Called = { readonly answer: Answer } | { readonly failure: string };

/** Where the session's bus listens, or null: without an address the library would not find one either. */
export function busAddress(
  env: Readonly<Record<string, string | undefined>>,
): string | null {
  const listed = env["DBUS_SESSION_BUS_ADDRESS"];
  if (listed !== undefined && listed !== "") return socketPath(listed);
  const runtime = env["XDG_RUNTIME_DIR"];
  return runtime === undefined || runtime === "" ? null : `${runtime}/bus`;
}

/** The first Unix socket of an address list such as `unix:path=/run/user/1000/bus,guid=…`. */
function socketPath(addresses: string): string | null {
  for (const address of addresses.split(";")) {
    const found = /^unix:(?:.*,)?(path|abstract)=([^,]*)/.exec(address);
    if (found === null) continue;
    // The specification escapes single bytes as `%xx`.
    const path = (found[2] ?? "").replace(/%([0-9a-f]{2})/gi, (_, hex) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
    return found[1] === "abstract" ? `\0${path}` : path;
  }
  return null;
}

const HELLO: MethodCall = {
  destination: "org.freedesktop.DBus",
  path: "/org/freedesktop/DBus",
  interface: "org.freedesktop.DBus",
  member: "Hello",
  argument: null,
};

const HELLO_SERIAL = 1;
const CALL_SERIAL = 2;
const METHOD_RETURN = 2;

/** Connects, says who we are, calls, and closes. */
export function callBus(
  host: Pick<Host, "env" | "uid">,
  call: MethodCall,
  milliseconds: number,
): Promise<Called> {
  const address = busAddress(host.env);
  if (address === null)
    return Promise.resolve({ failure: "this session has no D-Bus" });
  return new Promise((resolve) => {
    const socket = connect({ path: address });
    const timer = setTimeout(
      () => end({ failure: "the session's D-Bus does not answer" }),
      milliseconds,
    );
    const end = (called: Called) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(called);
    };
    socket.on("error", () =>
      end({ failure: "the session's D-Bus cannot be reached" }),
    );
    socket.on("close", () =>
      end({ failure: "the session's D-Bus closed the connection" }),
    );
    socket.on("connect", () => {
      const user = Buffer.from(String(host.uid ?? 0)).toString("hex");
      socket.write(`\0AUTH EXTERNAL ${user}\r\n`);
    });
    receive(socket, call, end);
  });
}

/** Reads the line that accepts us, then messages until the one that answers the call. */
function receive(
  socket: Socket,
  call: MethodCall,
  end: (called: Called) => void,
): void {
  let bytes = Buffer.alloc(0);
  let accepted = false;
  const take = (): void => {
    if (!accepted) {
      const line = bytes.indexOf("\r\n");
      if (line === -1) return;
      if (!bytes.toString("ascii", 0, line).startsWith("OK "))
        return end({ failure: "the session's D-Bus refuses this user" });
      bytes = bytes.subarray(line + 2);
      accepted = true;
      socket.write("BEGIN\r\n");
      socket.write(encodeCall(HELLO_SERIAL, HELLO));
      socket.write(encodeCall(CALL_SERIAL, call));
    }
    for (;;) {
      const message = decodeMessage(bytes);
      if (message === null) return;
      bytes = bytes.subarray(message.length);
      const { answer } = message;
      if (answer.replySerial !== CALL_SERIAL) continue;
      return end(
        answer.type === METHOD_RETURN
          ? { answer }
          : { failure: failureOf(answer.errorName) },
      );
    }
  };
  socket.on("data", (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk]);
    try {
      take();
    } catch {
      end({ failure: "the session's D-Bus sends what is no message" });
    }
  });
}

const failureOf = (errorName: string | null): string =>
  errorName === "org.freedesktop.DBus.Error.ServiceUnknown"
    ? "no keychain program (Secret Service) runs in this session"
    : `the keychain program answers ${errorName ?? "with an error"}`;
