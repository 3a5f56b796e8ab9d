// What the echo server answers, over HTTP and over standard input alike.

const inputSchema = {
  type: "object",
  properties: {
    path: { type: "string" },
    lines: { type: "array" },
    text: { type: "string" },
  },
};
const RESULTS = {
  initialize: {
    protocolVersion: "2025-11-25",
    capabilities: { tools: {} },
    serverInfo: { name: "echo", version: "1" },
  },
  "tools/list": {
    tools: ["echo", "stream"].map((name) => ({ name, inputSchema })),
  },
};

export const resultOf = (method, params) =>
  RESULTS[method] ?? {
    content: [{ type: "text", text: JSON.stringify(params.arguments) }],
  };
