// Bytes to the gateway and what came back, taken apart: a case must see exactly what is on the wire.
import { connect } from "node:net";
import { eventsIn, type JsonAnswer } from "../gateway/client.ts";
import { fill, type Filling, type PostInput } from "./http-case.ts";

export interface Answer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
  readonly json: JsonAnswer | null;
  readonly events: readonly JsonAnswer[];
}

export interface Wire {
  readonly answers: readonly Answer[];
  /** The gateway ended the connection. */
  readonly closed: boolean;
}

export interface SendOptions {
  /** Milliseconds without a byte after which nothing more is waited for. */
  readonly quiet?: number;
  /** Ends the sending side after the bytes. */
  readonly end?: boolean;
}

export function send(
  url: string,
  bytes: Buffer,
  { quiet = 400, end = false }: SendOptions = {},
): Promise<Wire> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    const chunks: Buffer[] = [];
    let timer: NodeJS.Timeout | undefined;
    const done = (closed: boolean): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ answers: answersIn(Buffer.concat(chunks).toString()), closed });
    };
    const wait = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => done(false), quiet);
    };
    socket.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      wait();
    });
    socket.on("error", () => {});
    socket.on("close", () => done(true));
    if (end) socket.end(bytes);
    else socket.write(bytes);
    // The first answer may take as long as the bounds allow.
    timer = setTimeout(() => done(false), 10_000);
  });
}

/** A POST as a conforming client sends it, but for the headers that a case changes. */
export function postBytes(post: PostInput, filling: Filling): Buffer {
  const body = Buffer.from(fill(post.body, filling));
  const { host, pathname } = new URL(filling.url);
  const headers = new Map<string, string>([
    ["host", host],
    ["content-type", "application/json"],
    ["accept", "application/json, text/event-stream"],
    ["content-length", String(body.length)],
    ["connection", "close"],
  ]);
  for (const [name, value] of Object.entries(post.headers ?? {})) {
    headers.delete(name.toLowerCase());
    if (value !== "(absent)") headers.set(name, fill(value, filling));
  }
  const lines = [...headers].map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([
    Buffer.from(`POST ${pathname} HTTP/1.1\r\n${lines.join("")}\r\n`, "latin1"),
    body,
  ]);
}

function answersIn(text: string): readonly Answer[] {
  const out: Answer[] = [];
  let rest = text;
  for (;;) {
    const head = /^HTTP\/1\.1 (\d{3})[^\r\n]*\r\n((?:[^\r\n]+\r\n)*)\r\n/.exec(
      rest,
    );
    if (head === null) return out;
    const headers = new Map(
      (head[2] ?? "")
        .split("\r\n")
        .filter((line) => line !== "")
        .map((line) => {
          const colon = line.indexOf(":");
          return [
            line.slice(0, colon).toLowerCase(),
            line.slice(colon + 1).trim(),
          ] as const;
        }),
    );
    rest = rest.slice(head[0].length);
    const status = Number(head[1]);
    if (status < 200) continue;
    const taken = bodyOf(rest, headers, status);
    rest = taken.rest;
    out.push({
      status,
      headers,
      body: taken.body,
      json: parsed(taken.body),
      events: eventsIn(taken.body),
    });
  }
}

function bodyOf(
  text: string,
  headers: ReadonlyMap<string, string>,
  status: number,
): { readonly body: string; readonly rest: string } {
  if (status === 204) return { body: "", rest: text };
  if (headers.get("transfer-encoding") !== "chunked") {
    const bytes = Buffer.from(text);
    const length = Number(headers.get("content-length") ?? bytes.length);
    return {
      body: bytes.subarray(0, length).toString(),
      rest: bytes.subarray(length).toString(),
    };
  }
  let bytes = Buffer.from(text);
  const parts: Buffer[] = [];
  for (;;) {
    const end = bytes.indexOf("\r\n");
    const size = end < 0 ? 0 : parseInt(bytes.subarray(0, end).toString(), 16);
    if (!(size > 0))
      return {
        body: Buffer.concat(parts).toString(),
        rest: bytes.subarray(end < 0 ? bytes.length : end + 4).toString(),
      };
    parts.push(bytes.subarray(end + 2, end + 2 + size));
    bytes = bytes.subarray(end + 4 + size);
  }
}

const parsed = (text: string): JsonAnswer | null => {
  try {
    return JSON.parse(text) as JsonAnswer;
  } catch {
    return null;
  }
};
