// The sessions of older clients: one server and one transport each, with the events kept, so that a stream that was closed
// can be taken up again.
import { randomUUID } from "node:crypto";
import {
  isInitializeRequest,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";

/** How soon a client may ask for the rest of a closed stream. */
const RETRY_MILLISECONDS = 200;

/** @param connect puts a server behind a transport, and gives what is closed with the session */
export function makeSessions(connect) {
  const open = new Map();

  async function start() {
    let server = null;
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      eventStore: eventStore(),
      retryInterval: RETRY_MILLISECONDS,
      onsessioninitialized: (id) => void open.set(id, { server, transport }),
      onsessionclosed: async (id) => {
        open.delete(id);
        await server.close();
      },
    });
    server = await connect(transport);
    return transport;
  }

  return {
    async answer(request) {
      const id = request.headers.get("mcp-session-id");
      if (id !== null) {
        const session = open.get(id);
        return session === undefined
          ? problem(404, "Session not found")
          : session.transport.handleRequest(request);
      }
      const message = await request
        .clone()
        .json()
        .catch(() => null);
      return isInitializeRequest(message)
        ? (await start()).handleRequest(request)
        : problem(400, "Session required");
    },
    async close() {
      for (const { server } of open.values()) await server.close();
      open.clear();
    },
  };
}

const problem = (status, message) =>
  Response.json(
    { jsonrpc: "2.0", id: null, error: { code: -32000, message } },
    { status },
  );

/** Events of one session in the order they were sent. An id is the event's place. */
function eventStore() {
  const events = [];
  return {
    async storeEvent(streamId, message) {
      return String(events.push({ streamId, message }) - 1);
    },
    async getStreamIdForEventId(id) {
      return events[Number(id)]?.streamId;
    },
    async replayEventsAfter(lastId, { send }) {
      const { streamId } = events[Number(lastId)];
      for (const [place, event] of events.entries())
        if (place > Number(lastId) && event.streamId === streamId)
          await send(String(place), event.message);
      return streamId;
    },
  };
}
