// Answers to a server's own requests. They go back as a POST of their own; what the server says to it is of no interest.
import type { GateSession, Served } from "./gate.ts";
import { linesFor } from "./lines.ts";

/** Milliseconds that a server may take to accept one. */
const REPLY_TIME = 10_000;

export function replyUpstream(
  served: Served,
  session: GateSession | null,
  versionLines: readonly string[],
  text: string,
  most: number,
): void {
  // A server that asks faster than it takes answers gets no more of them.
  if (served.replies >= most) return;
  served.replies++;
  const done = (): void => {
    clearTimeout(timer);
    served.replies--;
  };
  const flight = served.upstream.send(
    {
      method: "POST",
      lines: [...linesFor([], session), ...versionLines],
      body: Buffer.from(text),
      endless: false,
    },
    { head() {}, data() {}, end: done, failed: done },
  );
  const timer = setTimeout(() => {
    flight.abort();
    done();
  }, REPLY_TIME).unref();
}

/** Ends a session at its server. Whether the server cares is its own affair. */
export function endUpstream(session: GateSession, done: () => void): void {
  const { server, versionLines } = session;
  let over = false;
  const finish = (): void => {
    if (over) return;
    over = true;
    clearTimeout(timer);
    done();
  };
  const flight = server.upstream.send(
    {
      method: "DELETE",
      lines: [...linesFor([], session), ...versionLines],
      body: null,
      endless: false,
    },
    { head() {}, data() {}, end: finish, failed: finish },
  );
  const timer = setTimeout(() => {
    flight.abort();
    finish();
  }, REPLY_TIME).unref();
}
