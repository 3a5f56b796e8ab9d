// A server that is a process: one message a line on its standard input and output, and whatever it likes on standard
// error, which is always taken so that it never waits for us.
import type { Writable } from "node:stream";
import { decodeUtf8 } from "../enforce/message.ts";
import { cancelled, type Behind, type Hearer } from "./behind.ts";
import {
  launchServer,
  type ServerExit,
  type ServerPlan,
} from "./launch-server.ts";
import { readLines } from "./read-lines.ts";

/** Bytes that wait to be taken by the server before the agent is not read any further. */
const FULL = 1024 * 1024;
/** Bytes of a line on standard error that are looked at. */
const ERROR_LINE = 8 * 1024;
/** Answers to a server's own requests that wait to be taken by it. */
const REPLIES = 32;
const LF = Buffer.from("\n");

export function openLocal(
  plan: ServerPlan,
  hearer: Hearer,
  mostBytes: () => number,
): Behind {
  const server = launchServer(plan);
  const { input, output, errors } = server;
  let waiting: Buffer[] = [];
  let replies = 0;
  let closing = false;

  let first = Buffer.alloc(0);
  const lines = readLines({
    most: mostBytes,
    line(bytes) {
      const text = lineText(bytes);
      if (text === null) hearer.noise("noise", bytes.subarray(0, ERROR_LINE));
      else if (text !== "") hearer.message(text);
    },
    tooLong: (bytes) => (first = Buffer.from(bytes)),
    skipped: (last) => hearer.tooLong(first, last),
  });
  output.on("data", (chunk: Buffer) => {
    lines.push(chunk);
    hearer.pass();
  });
  const words = readLines({
    most: () => ERROR_LINE,
    line: (bytes) => hearer.noise("stderr", bytes),
    tooLong: (bytes) => hearer.noise("stderr", bytes),
  });
  errors.on("data", (chunk: Buffer) => words.push(chunk));
  input.on("drain", () => {
    replies = 0;
    hearer.ready();
  });

  void server.finished.then((exit) => {
    if (words.rest().length > 0) hearer.noise("stderr", words.rest());
    if (!closing) hearer.ended(wordsFor(exit));
  });

  const flush = (): void => {
    if (waiting.length === 0 || !input.writable) return;
    const [only] = waiting;
    input.write(
      waiting.length === 1 && only !== undefined
        ? only
        : Buffer.concat(waiting),
    );
    waiting = [];
  };
  return {
    forward({ bytes }, line) {
      if (line !== null) waiting.push(line);
      else waiting.push(Buffer.from(bytes), LF);
    },
    reply(text) {
      // A server that asks faster than it takes answers gets no more of them.
      if (isFull(input) || replies >= REPLIES) return;
      if (input.writableNeedDrain) replies++;
      waiting.push(Buffer.from(`${text}\n`));
      flush();
    },
    cancel({ id, method }) {
      // The protocol forbids to cancel the opening.
      if (method === "initialize") return;
      waiting.push(Buffer.from(`${cancelled(id)}\n`));
      flush();
    },
    settled() {},
    flush,
    isFull: () => isFull(input),
    pause: () => void output.pause(),
    resume: () => void output.resume(),
    async close() {
      closing = true;
      flush();
      await server.stop();
    },
  };
}

const isFull = (stream: Writable): boolean => stream.writableLength >= FULL;

const OPEN_OBJECT = 0x7b;
const OPEN_ARRAY = 0x5b;
const BLANK = /^[ \t\r]*$/;

/** The text of a line that may be a message, empty when there is nothing on it, or null when it is none. */
function lineText(bytes: Buffer): string | null {
  const start = bytes[0];
  const end = bytes.length - (bytes[bytes.length - 2] === 0x0d ? 2 : 1);
  if (start !== OPEN_OBJECT && start !== OPEN_ARRAY) {
    const few = bytes.length < 64 ? bytes.toString("latin1", 0, end) : "x";
    if (BLANK.test(few)) return "";
    if (start !== 0x20 && start !== 0x09) return null;
  }
  // Another program may take a carriage return for the end of a line.
  const body = bytes.subarray(0, end);
  return body.includes(0x0d) ? null : decodeUtf8(body);
}

function wordsFor({ code, signal, failed }: ServerExit): string {
  if (failed !== null) return `could not be started (${failed})`;
  return signal === null
    ? `ended with exit code ${code ?? 0}`
    : `was ended by ${signal}`;
}
