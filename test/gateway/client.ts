// Requests as a conforming client sends them, over sockets of their own, so that a test sees exactly what came back.
import { request, type IncomingHttpHeaders } from "node:http";
import { connect, type Socket } from "node:net";

export interface Got {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** The body as JSON, or null. */
  readonly json: JsonAnswer | null;
  /** The `data` of each event that is not empty, as JSON. */
  readonly events: readonly JsonAnswer[];
}

export interface JsonAnswer {
  readonly id?: unknown;
  readonly result?: Record<string, unknown>;
  readonly error?: {
    readonly code: number;
    readonly message: string;
    readonly data?: Record<string, unknown>;
  };
  readonly method?: string;
  readonly [key: string]: unknown;
}

export interface PostOptions {
  readonly method?: string;
  /** null leaves a header out. */
  readonly headers?: Readonly<Record<string, string | null>>;
}

export const rpc = (
  method: string,
  params: unknown = {},
  id: unknown = 1,
): string => JSON.stringify({ jsonrpc: "2.0", id, method, params });

export const call = (
  name: string,
  args: unknown = {},
  id: unknown = 1,
): string => rpc("tools/call", { name, arguments: args }, id);

export function post(
  url: string,
  body: string | Buffer,
  options: PostOptions = {},
): Promise<Got> {
  const headers: Record<string, string> = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  };
  for (const [name, value] of Object.entries(options.headers ?? {}))
    if (value === null) delete headers[name.toLowerCase()];
    else headers[name.toLowerCase()] = value;
  return new Promise((resolve, reject) => {
    const req = request(
      url,
      { method: options.method ?? "POST", headers, agent: false },
      (res) => {
        const chunks: Buffer[] = [];
        res.on("data", (chunk: Buffer) => chunks.push(chunk));
        res.on("error", reject);
        res.on("end", () => {
          const text = Buffer.concat(chunks).toString();
          resolve({
            status: res.statusCode ?? 0,
            headers: res.headers,
            body: text,
            json: parse(text),
            events: eventsIn(text),
          });
        });
      },
    );
    req.on("error", reject);
    if (options.method === "GET" || options.method === "DELETE") req.end();
    else req.end(body);
  });
}

export const get = (
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Got> =>
  post(url, "", {
    method: "GET",
    headers: {
      "content-type": null,
      accept: "text/event-stream",
      ...headers,
    },
  });

const parse = (text: string): JsonAnswer | null => {
  try {
    return JSON.parse(text) as JsonAnswer;
  } catch {
    return null;
  }
};

export const eventsIn = (text: string): readonly JsonAnswer[] =>
  text
    .split("\n\n")
    .flatMap((block) => block.split("\n"))
    .filter((line) => line.startsWith("data: ") && line !== "data: ")
    .map((line) => parse(line.slice(6)) ?? {});

/** Writes bytes as they are and gives all that came back until the other side closes or nothing comes for a while. */
export function raw(
  url: string,
  bytes: string | Buffer,
  options: { readonly quietAfter?: number; readonly end?: boolean } = {},
): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    let text = "";
    let timer: NodeJS.Timeout | undefined;
    const done = (): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(text);
    };
    const again = (): void => {
      clearTimeout(timer);
      timer = setTimeout(done, options.quietAfter ?? 500);
    };
    socket.on("data", (chunk: Buffer) => {
      text += chunk.toString("latin1");
      again();
    });
    socket.on("error", () => {});
    socket.on("close", done);
    const data =
      typeof bytes === "string" ? Buffer.from(bytes, "latin1") : bytes;
    if (options.end === true) socket.end(data);
    else socket.write(data);
    again();
  });
}

/** Reads an answer piece by piece; a GET when there is no body. */
export function openStream(
  url: string,
  body: string,
  headers: Readonly<Record<string, string>> = {},
) {
  const pieces: string[] = [];
  let ended = false;
  const req = request(url, {
    method: body === "" ? "GET" : "POST",
    agent: false,
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...headers,
    },
  });
  req.on("error", () => {});
  req.on("response", (res) => {
    res.on("data", (chunk: Buffer) => pieces.push(chunk.toString()));
    res.on("end", () => (ended = true));
    res.on("error", () => {});
  });
  req.end(body);
  return { pieces, ended: () => ended, stop: () => req.destroy() };
}

/** The bytes of a POST as they go over the wire. */
export function postBytes(url: string, body: string): string {
  const { host, pathname } = new URL(url);
  return `POST ${pathname} HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\naccept: application/json, text/event-stream\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

/** A client that asks and then reads nothing of the answer. */
export function halfOpen(url: string, body: string): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => {});
  socket.pause();
  socket.write(postBytes(url, body));
  return socket;
}
