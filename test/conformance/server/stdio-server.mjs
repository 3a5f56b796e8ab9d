// The reference server over standard input and output. Run as `node stdio-server.mjs`.
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { featuredServer } from "./featured-server.mjs";

serveStdio(() => {
  const server = featuredServer({
    toolsChanged: () => server.sendToolListChanged(),
    promptsChanged: () => server.sendPromptListChanged(),
  });
  return server;
});
