// What the fake server of a case does: the answer as the case words it, or the trouble it makes.
import { gzipSync } from "node:zlib";
import type { Respond } from "../gateway/fake-server.ts";

/** The whole answer for the result of a case that is only described. */
const DESCRIBED: Readonly<Record<string, () => unknown>> = {
  "http-tooldef-03": () => ({
    tools: [
      {
        name: "read_file",
        description: "A".repeat(5 * 1024 * 1024),
        inputSchema: { type: "object" },
      },
    ],
  }),
  "http-tooldef-05": () => ({
    tools: [
      {
        name: "read_file",
        inputSchema: { anyOf: Array.from({ length: 150_000 }, () => ({})) },
      },
    ],
  }),
  "http-secret-09": () => ({
    content: [
      {
        type: "text",
        text: "ghp_".repeat(1_300_000) + "-----BEGIN ".repeat(480_000),
      },
    ],
  }),
  "http-secret-10": () => ({
    content: [
      {
        type: "image",
        mimeType: "image/png",
        data: "da39a3ee5e6b4b0d3255bfef95601890afd80709AAAA",
      },
    ],
  }),
  "http-list-11": () => ({
    tools: [],
    ttlMs: 31_536_000_000,
    cacheScope: "public",
  }),
};

/** The result as JSON text. */
function resultText(id: string, words: string): string {
  const described = DESCRIBED[id];
  if (described !== undefined) return JSON.stringify(described());
  if (words.startsWith("{")) return words;
  if (words.startsWith("tools:")) return `{"tools":${words.slice(6)}}`;
  return `{"content":[{"type":"text",${words}}]}`;
}

export function respondAs(
  id: string,
  upstream: string | Readonly<Record<string, unknown>>,
  fill: (text: string) => string,
): Respond {
  if (typeof upstream === "string")
    return (_received, res) => {
      res
        .writeHead(200, { "content-type": "application/json" })
        .end(
          `{"jsonrpc":"2.0","id":1,"result":${fill(resultText(id, upstream))}}`,
        );
    };
  const given = upstream as {
    readonly status?: number;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
    readonly chunks?: readonly string[];
    readonly sse?: readonly string[];
    readonly then?: string;
  };
  const fine = '{"jsonrpc":"2.0","id":1,"result":{"content":[]}}';
  if ("hang" in upstream) return () => {};
  if ("status_line" in upstream || "headers_raw" in upstream)
    return (_received, res) => {
      const lines =
        "headers_raw" in upstream
          ? String(upstream["headers_raw"])
          : `Content-Type: application/json\r\n${Object.entries(
              given.headers ?? {},
            )
              .map(([n, v]) => `${n}: ${v}`)
              .join("\r\n")}`;
      res.socket?.end(
        fill(
          `HTTP/1.1 ${String(upstream["status_line"] ?? "200 OK")}\r\n${lines}\r\nContent-Length: ${fine.length}\r\n\r\n${fine}`,
        ),
      );
    };
  if ("informational" in upstream)
    return (_received, res) => {
      res.writeEarlyHints({ link: "</x>; rel=preload" });
      res.writeHead(200, { "content-type": "application/json" }).end(fine);
    };
  if ("trailers" in upstream)
    return (_received, res) => {
      res.writeHead(200, {
        "content-type": "application/json",
        trailer: "Mcp-Session-Id",
      });
      res.write(fine);
      res.addTrailers({ "mcp-session-id": "x" });
      res.end();
    };
  if ("body_bytes" in upstream || id === "http-upstream-18")
    return (_received, res) => {
      res.writeHead(200, {
        "content-type": "application/json",
        ...given.headers,
      });
      const block = Buffer.alloc(1024 * 1024, 0x20);
      const more = (): void => {
        while (!res.destroyed && res.write(block));
      };
      res.on("drain", more);
      more();
    };
  if (given.sse !== undefined || given.chunks !== undefined)
    return (received, res) => {
      // Answers to the server's own requests are taken and said nothing to.
      if (received.message?.method === undefined)
        return void res.writeHead(202).end();
      res.writeHead(200, {
        "content-type": "text/event-stream",
        ...given.headers,
      });
      const chunks = given.sse ?? given.chunks ?? [];
      const next = (i: number): void => {
        const chunk = chunks[i];
        if (res.destroyed) return;
        if (chunk === undefined) {
          if (given.then === "RST") res.socket?.resetAndDestroy();
          else res.end();
          return;
        }
        const text = fill(chunk);
        // eslint-disable-next-line no-control-regex
        const encoding = /[^\x00-\xff]/.test(text) ? "utf8" : "latin1";
        res.write(Buffer.from(text, encoding));
        setTimeout(() => next(i + 1), 15);
      };
      next(0);
    };
  return (_received, res) => {
    res.writeHead(given.status ?? 200, { ...given.headers });
    const text = fill(given.body ?? "");
    const body = text.startsWith("gzip(")
      ? gzipSync(
          '{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"delete_all"}]}}',
        )
      : text;
    if (given.then === "RST") {
      res.write(body);
      setTimeout(() => res.socket?.resetAndDestroy(), 50);
    } else res.end(body);
  };
}
