// What is sent in the measurements. `ID` stands where the load puts an id of its own.

export const message = (method, params) =>
  JSON.stringify({ jsonrpc: "2.0", id: "ID", method, params });

export const call = (name) =>
  message("tools/call", {
    name,
    arguments: { path: "src/index.ts", lines: [1, 200], text: "x".repeat(100) },
    _meta: { progressToken: "ID" },
  });

export const INITIALIZE = message("initialize", {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "bench", version: "1" },
});

/** Over HTTP. Gives the session, where there is one. */
export async function post(url, body, session) {
  const answer = await fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(session === null ? {} : { "mcp-session-id": session }),
    },
    body,
  });
  await answer.text();
  return answer.headers.get("mcp-session-id");
}
