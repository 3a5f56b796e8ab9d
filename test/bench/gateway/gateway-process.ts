// The gateway as it is measured: 20 rules, a token, and a log on the disk. `gateway-process PORT LOG`.
import { openSync, writeSync } from "node:fs";
import { startGateway } from "../../../src/gateway/start-gateway.ts";
import { credentialsFor } from "../../../src/gateway/credentials.ts";
import { loadProject } from "../../../src/compile.ts";
import { preparePolicy } from "../../../src/policy/decide.ts";
import { Secret } from "../../../src/vault/secret.ts";
import { testHost } from "../../support/test-host.ts";

const [port, log] = process.argv.slice(2);
const file = openSync(log ?? "", "a", 0o600);
const names = Array.from({ length: 16 }, (_, i) => `tool_${i}`);
const tools = {
  allow: ["echo", "stream", ...names, "search_*"],
  deny: ["search_admin"],
};
const { model } = loadProject(
  testHost({
    project: {
      "fenzi.yaml": JSON.stringify({
        version: 1,
        mcp: {
          demo: { url: `http://127.0.0.1:${port}/mcp`, token: true, tools },
        },
      }),
    },
  }),
);
const server = model?.servers[0];
if (server?.transport.kind !== "http") throw new Error("no server");
const credentials = credentialsFor(
  server.transport,
  {},
  new Secret("demo", "tok-51f6c7d2e8a94b03"),
);
if ("problems" in credentials) throw new Error("no credentials");
const gateway = await startGateway({
  servers: [
    {
      name: server.name,
      transport: server.transport,
      policy: preparePolicy(server, "off"),
      limits: { call: 60_000, request: 4 << 20, response: 16 << 20 },
      credentials,
    },
  ],
  agents: ["claude-code", "codex", "opencode", "grok"],
  listen: { host: "127.0.0.1", port: 0 },
  log: (record, more) =>
    writeSync(
      file,
      `${JSON.stringify({ time: Date.now(), ...more, ...record })}\n`,
    ) > 0,
});
process.on("message", () => {
  globalThis.gc?.();
  globalThis.gc?.();
  process.send?.(process.memoryUsage());
});
process.send?.(gateway.url("claude-code", "demo"));
