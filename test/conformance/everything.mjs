// The protocol's own example server behind the gateway: connecting, listing, a call that is allowed and one that is not.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  Client,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { same } from "../support/tally.mjs";
import { startGateway } from "./gateway.mjs";

const PROGRAM = fileURLToPath(
  new URL(
    "node_modules/@modelcontextprotocol/server-everything/dist/index.js",
    import.meta.url,
  ),
);

export async function tryEverything({ root, tally }) {
  const server = await startEverything();
  const gateway = await startGateway({
    folder: join(root, "everything"),
    url: server.url,
    tools: "{ allow: [echo, 'get-tiny-*'] }",
  });
  const client = new Client({ name: "smoke", version: "1.0.0" });
  try {
    await client.connect(
      new StreamableHTTPClientTransport(new URL(gateway.url)),
    );
    const { tools } = await client.listTools();
    tally.check(
      "server-everything: lists what is allowed",
      same("the list", tools.map(({ name }) => name).sort(), [
        "echo",
        "get-tiny-image",
      ]),
    );
    const { content } = await client.callTool({
      name: "echo",
      arguments: { message: "hello" },
    });
    tally.check(
      "server-everything: answers an allowed call",
      same("the answer", content, [{ type: "text", text: "Echo: hello" }]),
    );
    const refusal = await client
      .callTool({ name: "get-sum", arguments: { a: 1, b: 2 } })
      .then(JSON.stringify, String);
    tally.check(
      "server-everything: a denied call is refused in words",
      /policy_denied.*get-sum/s.test(refusal) ? [] : [refusal],
    );
  } finally {
    await client.close();
    await gateway.stop();
    await server.stop();
  }
}

async function startEverything() {
  const port = await freePort();
  const child = spawn(process.execPath, [PROGRAM, "streamableHttp"], {
    env: { PATH: process.env.PATH, PORT: String(port) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(child, "exit");
  child.stdout.resume();
  // It says on its error stream that it listens.
  await Promise.race([
    once(child.stderr, "data"),
    ended.then(([code]) => {
      throw new Error(`server-everything ended with ${code}`);
    }),
  ]);
  child.stderr.resume();
  return {
    url: `http://localhost:${port}/mcp`,
    async stop() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/** The server wants to be told one. */
async function freePort() {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address();
  probe.close();
  await once(probe, "close");
  return port;
}
