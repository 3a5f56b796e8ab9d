// What the suite starts: `node main.mjs URL`.
import { runClient } from "./reference-client.mjs";

await runClient({
  url: process.argv.at(-1),
  scenario: process.env.MCP_CONFORMANCE_SCENARIO,
  version: process.env.MCP_CONFORMANCE_PROTOCOL_VERSION,
  context: JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? "{}"),
});
