// Connections to a server behind a Unix socket or a named pipe of this machine. Whose socket it is, is looked at before
// each connection: one of root's is a door to the whole machine more often than not, and another user's gets no token.
import { stat } from "node:fs";
import { connect, type Socket } from "node:net";
import type { buildConnector } from "undici";
import type { HttpTransport } from "../model/model.ts";

/** The code of the error when the socket belongs to somebody else. */
export const REFUSED_SOCKET = "refused-socket";

/** `time`: milliseconds until the connection stands. */
export const connectSocket =
  (
    { kind, path }: NonNullable<HttpTransport["socket"]>,
    allowSystem: boolean,
    time: number,
  ): buildConnector.connector =>
  (_options, done) => {
    const open = () => {
      const socket: Socket = connect({ path });
      const timer = setTimeout(
        () => socket.destroy(coded("UND_ERR_CONNECT_TIMEOUT")),
        time,
      );
      const failed = (error: Error) => {
        clearTimeout(timer);
        done(error, null);
      };
      socket.once("error", failed);
      socket.once("connect", () => {
        clearTimeout(timer);
        socket.off("error", failed);
        done(null, socket);
      });
    };
    // A pipe has no owner to look at.
    if (kind === "pipe") return open();
    stat(path, (error, found) => {
      if (error !== null) return done(error, null);
      if (!found.isSocket()) return done(coded("ENOTSOCK"), null);
      const foreign = found.uid === 0 || found.uid !== process.getuid?.();
      if (foreign && !allowSystem) return done(coded(REFUSED_SOCKET), null);
      open();
    });
  };

const coded = (code: string): Error =>
  Object.assign(new Error("no connection"), { code });
