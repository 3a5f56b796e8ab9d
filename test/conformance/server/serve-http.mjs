// One path of an HTTP server on this machine, answered in the web's terms.
import { once } from "node:events";
import { createServer } from "node:http";
import {
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
} from "@modelcontextprotocol/server";
import { sendResponse, toRequest } from "./web-request.mjs";

const PATH = "/mcp";

/**
 * @param answer   from a Request that may be answered to its Response
 * @param close    ends what `answer` has open
 */
export async function serveHttp({ answer, close }) {
  const http = createServer((req, res) => {
    const request = toRequest(req, res);
    checked(request, answer).then(
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
      await close();
      http.close();
      http.closeAllConnections();
      await once(http, "close");
    },
  };
}

async function checked(request, answer) {
  if (new URL(request.url).pathname !== PATH)
    return new Response(null, { status: 404 });
  return (
    hostHeaderValidationResponse(request, localhostAllowedHostnames()) ??
    originValidationResponse(request, localhostAllowedOrigins()) ??
    answer(request)
  );
}
