// Puts a program that speaks over standard input and output behind HTTP, for the suite, which speaks nothing else. Each
// session of an older client has a process of its own; requests of the newer era share one. Messages are not judged and
// not changed, but for ids that two clients may both use.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import {
  createMcpHandler,
  isLegacyRequest,
  PerRequestHTTPServerTransport,
  SUBSCRIPTION_ID_META_KEY,
} from "@modelcontextprotocol/server";
import { featuredServer } from "./server/featured-server.mjs";
import { serveHttp } from "./server/serve-http.mjs";
import { makeSessions } from "./server/sessions.mjs";

const MODERN = { era: "modern", revision: "2026-07-28" };
const METHOD_NOT_FOUND = -32601;

/** @param command the program's `argv`, `cwd` and `env` */
export function startShim(command) {
  const sessions = makeSessions((transport) => joinSession(command, transport));
  const shared = shareProcess(command);
  return serveHttp({
    answer: async (request) =>
      (await isLegacyRequest(request))
        ? sessions.answer(request)
        : shared.answer(request),
    async close() {
      await sessions.close();
      await shared.close();
    },
  });
}

function startProcess({ argv, cwd, env }, receive, ended) {
  const [program, ...args] = argv;
  const child = spawn(program, args, {
    cwd,
    env,
    stdio: ["pipe", "pipe", "inherit"],
  });
  const exit = once(child, "exit").then(ended);
  child.stdin.on("error", () => {});
  createInterface(child.stdout).on("line", (line) => receive(JSON.parse(line)));
  return {
    send: (message) => child.stdin.write(`${JSON.stringify(message)}\n`),
    async close() {
      child.stdin.end();
      await exit;
    },
  };
}

/** What is not an answer belongs on the stream of a request: of the one it names, else of the newest. */
async function joinSession(command, transport) {
  const waiting = new Map();
  const receive = (message) => {
    if (message.method === undefined) {
      waiting.delete(message.id);
      return transport.send(message);
    }
    const token = message.params?.progressToken;
    const named = [...waiting].find(([, of]) => of === token && token != null);
    const [relatedRequestId] = named ?? [...waiting].at(-1) ?? [];
    return transport.send(message, { relatedRequestId });
  };
  const child = startProcess(command, receive, () => transport.close());
  Object.assign(transport, {
    onmessage(message) {
      if (message.method !== undefined && message.id !== undefined)
        waiting.set(message.id, message.params?._meta?.progressToken ?? null);
      child.send(message);
    },
  });
  await transport.start();
  return child;
}

/** The HTTP of the newer era is the library's; only the server behind it is another one. */
function shareProcess(command) {
  const waiting = new Map();
  let count = 0;
  let child = null;

  function receive(message) {
    const { method, params } = message;
    const id =
      method === undefined
        ? message.id
        : (params?.progressToken ??
          params?._meta?.[SUBSCRIPTION_ID_META_KEY] ??
          [...waiting.keys()].at(-1));
    waiting.get(id)?.receive(message);
  }
  function ended() {
    for (const { transport } of waiting.values()) void transport.close();
  }

  async function join(transport) {
    child ??= startProcess(command, receive, ended);
    const id = `shim-${(count += 1)}`;
    Object.assign(transport, {
      onmessage(message) {
        if (message.id === undefined) return child.send(message);
        const token = message.params?._meta?.progressToken;
        const receiveOne = (received) => {
          if (received.method !== undefined)
            return transport.send(toldTo(received, message.id, token), {
              relatedRequestId: message.id,
            });
          waiting.delete(id);
          return transport.send({ ...received, id: message.id });
        };
        waiting.set(id, { transport, receive: receiveOne });
        child.send(asked(message, id));
      },
      onclose() {
        if (waiting.delete(id))
          child.send({
            jsonrpc: "2.0",
            method: "notifications/cancelled",
            params: { requestId: id },
          });
      },
    });
    await transport.start();
  }

  const modern = createMcpHandler(
    () => {
      const server = featuredServer(null);
      server.connect = join;
      return server;
    },
    { legacy: "reject" },
  );
  return {
    async answer(request) {
      const message = await request.clone().json();
      if (message.method !== "subscriptions/listen")
        return withStatus(await modern.fetch(request));
      // The library would answer it itself.
      const transport = new PerRequestHTTPServerTransport({
        classification: MODERN,
      });
      await join(transport);
      return transport.handleMessage(message, { request });
    },
    async close() {
      await modern.close();
      await child?.close();
    },
  };
}

/** With the shim's own id wherever the client's is, and back. */
function asked(message, id) {
  const sent = structuredClone({ ...message, id });
  if (sent.params?._meta?.progressToken !== undefined)
    sent.params._meta.progressToken = id;
  return sent;
}

function toldTo(notification, id, progressToken) {
  const told = structuredClone(notification);
  const { params } = told;
  if (params?.progressToken !== undefined) params.progressToken = progressToken;
  if (params?._meta?.[SUBSCRIPTION_ID_META_KEY] !== undefined)
    params._meta[SUBSCRIPTION_ID_META_KEY] = id;
  return told;
}

/** The library gives it only to what a server refuses at once. */
async function withStatus(response) {
  if (!/json/.test(response.headers.get("content-type"))) return response;
  const message = await response.json();
  const status =
    message.error?.code === METHOD_NOT_FOUND ? 404 : response.status;
  return Response.json(message, { status });
}
