// One server with everything the suite's scenarios call by name. It is the same for both eras.
import { randomBytes } from "node:crypto";
import {
  createRequestStateCodec,
  McpServer,
} from "@modelcontextprotocol/server";
import { addAskingTools } from "./asking-tools.mjs";
import { addPrompts } from "./prompts.mjs";
import { addResources } from "./resources.mjs";
import { addTools } from "./tools.mjs";

const state = createRequestStateCodec({ key: randomBytes(32) });
const CACHE = { ttlMs: 1_000, cacheScope: "public" };

/** @param notify tells those who listen that a list changed */
export function featuredServer(notify) {
  const server = new McpServer(
    { name: "reference", version: "1.0.0" },
    {
      instructions: "Every feature once.",
      capabilities: {
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
        logging: {},
        completions: {},
      },
      cacheHints: {
        "tools/list": CACHE,
        "prompts/list": CACHE,
        "resources/list": CACHE,
        "resources/templates/list": CACHE,
        "resources/read": CACHE,
        "server/discover": CACHE,
      },
      requestState: { verify: state.verify },
    },
  );
  addTools(server, notify);
  addAskingTools(server, state);
  addPrompts(server);
  addResources(server);
  return server;
}
