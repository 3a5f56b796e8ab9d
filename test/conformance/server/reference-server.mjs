// A server that has every feature the suite asks for, in both eras at one address: requests of the newer era are served
// each on its own, older clients get sessions whose streams can be resumed. It checks Host and Origin itself.
import { once } from "node:events";
import { createServer } from "node:http";
import {
  createMcpHandler,
  hostHeaderValidationResponse,
  isLegacyRequest,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
} from "@modelcontextprotocol/server";
import { featuredServer } from "./featured-server.mjs";
import { makeSessions } from "./sessions.mjs";
import { sendResponse, toRequest } from "./web-request.mjs";

const PATH = "/mcp";

export async function startReferenceServer() {
  const modern = createMcpHandler(() => featuredServer(modern.notify), {
    legacy: "reject",
  });
  const sessions = makeSessions(() => featuredServer(modern.notify));

  async function answer(request) {
    if (new URL(request.url).pathname !== PATH)
      return new Response(null, { status: 404 });
    const foreign =
      hostHeaderValidationResponse(request, localhostAllowedHostnames()) ??
      originValidationResponse(request, localhostAllowedOrigins());
    if (foreign !== undefined) return foreign;
    return (await isLegacyRequest(request))
      ? sessions.answer(request)
      : modern.fetch(request);
  }

  const http = createServer((req, res) => {
    answer(toRequest(req, res)).then(
      (response) => sendResponse(response, res),
      (problem) => {
        console.error(problem);
        res.destroy();
      },
    );
  });
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  return {
    url: `http://localhost:${http.address().port}${PATH}`,
    async stop() {
      await modern.close();
      await sessions.close();
      http.close();
      http.closeAllConnections();
      await once(http, "close");
    },
  };
}
