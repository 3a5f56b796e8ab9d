// A local server's streams as the MCP client wants them: one message a line. What is no message is noise and dropped;
// a line without an end is not gathered.
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import type { Readable, Writable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import type { Listener } from "./offer.ts";

/** A running server, as far as it is talked to. */
export interface ServerStreams {
  readonly input: Writable;
  readonly output: Readable;
  readonly errors: Readable;
  /** Its process has ended. */
  readonly exited: Promise<{
    readonly code: number | null;
    readonly signal: string | null;
  }>;
}

/** Bytes of standard error that are kept. */
const MOST_WORDS = 4096;

/** `mostBytes`: of all that it writes together. */
export function streamTransport(
  server: ServerStreams,
  mostBytes: number,
  listener: Pick<Listener, "sent" | "heard">,
): {
  readonly transport: Transport;
  /** What went wrong, in words that go on with "the server …", or null. */
  readonly failure: () => string | null;
  /** The end of what it wrote on standard error. */
  readonly words: () => string;
} {
  let failure: string | null = null;
  let closed = false;
  let left = mostBytes;
  let rest = "";
  let words = Buffer.alloc(0);
  const decoder = new StringDecoder("utf8");
  const end = (words: string | null): void => {
    if (closed) return;
    closed = true;
    failure = words;
    server.output.off("data", take);
    server.output.resume();
    transport.onclose?.();
  };
  const take = (chunk: Buffer): void => {
    left -= chunk.length;
    if (left < 0) return end("sends more than can be a list of tools");
    rest += decoder.write(chunk);
    // Pieces of a long line are only put together when it ends.
    if (!chunk.includes(0x0a)) return;
    const lines = rest.split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (!closed) receive(line);
  };
  const receive = (line: string): void => {
    if (!line.trimStart().startsWith("{")) return;
    let message: unknown;
    try {
      message = JSON.parse(line);
    } catch {
      return;
    }
    listener.heard(line);
    try {
      transport.onmessage?.(message as JSONRPCMessage);
    } catch (error) {
      transport.onerror?.(error as Error);
    }
  };
  const transport: Transport = {
    start() {
      server.output.on("data", take);
      // A full pipe of words would stop it.
      server.errors.on("data", (chunk: Buffer) => {
        words = Buffer.concat([words, chunk]).subarray(-MOST_WORDS);
      });
      void server.exited.then(({ code, signal }) =>
        // What it has written before is still read.
        setTimeout(() => end(`ended ${howItEnded(code, signal)}`), 100).unref(),
      );
      return Promise.resolve();
    },
    send(message) {
      if (closed) return Promise.reject(new Error("closed"));
      const text = JSON.stringify(message);
      listener.sent(text);
      server.input.write(`${text}\n`);
      return Promise.resolve();
    },
    close() {
      end(failure);
      return Promise.resolve();
    },
  };
  return {
    transport,
    failure: () => failure,
    words: () => words.toString("utf8"),
  };
}

function howItEnded(code: number | null, signal: string | null): string {
  if (signal !== null) return `by ${signal} before it had answered`;
  return code === null
    ? "before it was started"
    : `with exit code ${code} before it had answered`;
}
