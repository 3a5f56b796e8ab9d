// Other programs that put a server of standard input and output behind HTTP, each before the same echo server.
import { fileURLToPath } from "node:url";
import { startOther } from "./processes.mjs";

const file = (path) => fileURLToPath(new URL(path, import.meta.url));
export const ECHO = [process.execPath, file("echo-stdio.mjs")];

export const startOthers = async () => [
  {
    name: "mcp-proxy",
    ...(await startOther(
      file("node_modules/mcp-proxy/dist/bin/mcp-proxy.mjs"),
      (port) =>
        ["--host", "127.0.0.1", "--port", String(port)].concat(
          ["--server", "stream", "--"],
          ECHO,
        ),
    )),
  },
  {
    name: "supergateway",
    ...(await startOther(
      file("node_modules/supergateway/dist/index.js"),
      (port) =>
        ["--stdio", ECHO.map((word) => `"${word}"`).join(" ")].concat(
          ["--outputTransport", "streamableHttp", "--stateful"],
          ["--port", String(port), "--logLevel", "none"],
        ),
    )),
  },
];
