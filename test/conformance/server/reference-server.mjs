// A server that has every feature the suite asks for, in both eras at one address: requests of the newer era are served
// each on its own, older clients get sessions whose streams can be resumed. It checks Host and Origin itself.
import {
  createMcpHandler,
  isLegacyRequest,
} from "@modelcontextprotocol/server";
import { featuredServer } from "./featured-server.mjs";
import { serveHttp } from "./serve-http.mjs";
import { makeSessions } from "./sessions.mjs";

export function startReferenceServer() {
  const modern = createMcpHandler(() => featuredServer(modern.notify), {
    legacy: "reject",
  });
  const sessions = makeSessions(async (transport) => {
    const server = featuredServer(modern.notify);
    await server.connect(transport);
    return server;
  });
  return serveHttp({
    answer: async (request) =>
      (await isLegacyRequest(request))
        ? sessions.answer(request)
        : modern.fetch(request),
    async close() {
      await modern.close();
      await sessions.close();
    },
  });
}
