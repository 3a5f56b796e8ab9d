// What the suite starts: `node main.mjs URL`. THROUGH_GATEWAY is a folder for a gateway that is put between.
import { startGateway } from "../gateway.mjs";
import { runClient } from "./reference-client.mjs";

const url = process.argv.at(-1);
const folder = process.env.THROUGH_GATEWAY;
const gateway =
  folder === undefined
    ? null
    : await startGateway({ folder, url, tools: "all" });
try {
  await runClient({
    url: gateway?.url ?? url,
    scenario: process.env.MCP_CONFORMANCE_SCENARIO,
    version: process.env.MCP_CONFORMANCE_PROTOCOL_VERSION,
    context: JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? "{}"),
  });
} finally {
  await gateway?.stop();
}
