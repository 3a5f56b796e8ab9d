// The few lines of HTTP that the harness's servers have in common.

/** The body as text. */
export async function readBody(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

export function sendJson(response, status, body, headers = {}) {
  response.writeHead(status, {
    "content-type": "application/json",
    ...headers,
  });
  response.end(body === undefined ? "" : JSON.stringify(body));
}

/** Opens a server-sent event stream; returns what writes one event. */
export function openEvents(response) {
  response.writeHead(200, {
    "content-type": "text/event-stream",
    "cache-control": "no-cache",
  });
  return (data, event) => {
    if (event) response.write(`event: ${event}\n`);
    const text = typeof data === "string" ? data : JSON.stringify(data);
    response.write(`data: ${text}\n\n`);
  };
}
