// Random changes of a request's head: lines added, doubled, taken away, spelt and ended differently. For the fuzz tests.
import * as fc from "fast-check";

/** Lines that programs read differently, or that lie about the body. */
const LINES = [
  "Content-Length: 5",
  "Content-Length: 0",
  "Content-Length: +40",
  "Content-Length: 0x20",
  "Transfer-Encoding: chunked",
  "Transfer-Encoding: identity",
  "Transfer-Encoding: chunked, identity",
  "Transfer-Encoding : chunked",
  " folded: yes",
  "Host: evil.example",
  "Host: 127.0.0.1",
  "Origin: http://evil.example",
  "Sec-Fetch-Site: cross-site",
  "Content-Type: text/plain",
  "Content-Type: application/json; charset=utf-16",
  "Content-Encoding: gzip",
  "Accept: text/html",
  "Expect: 100-continue",
  "Upgrade: websocket",
  "Connection: upgrade",
  "Authorization: Bearer of-the-client",
  "Cookie: a=b",
  "X-Forwarded-For: 10.0.0.1",
  "MCP-Protocol-Version: 2025-11-25",
  "MCP-Protocol-Version: 2026-07-28",
  "MCP-Protocol-Version: 1999-01-01",
  "Mcp-Method: tools/list",
  "Mcp-Method: tools/call",
  "Mcp-Name: read_file",
  "Mcp-Name: =?base64?cmVhZF9maWxl?=",
  "Mcp-Session-Id: made-up",
  "Last-Event-ID: made-up",
  "X-\u00e9: \u00e9",
  "X-Zero: \0",
  "no colon",
  ": no name",
  `X-Long: ${"x".repeat(20_000)}`,
];

const STARTS: readonly ((target: string) => string)[] = [
  (target) => `GET ${target} HTTP/1.1`,
  (target) => `DELETE ${target} HTTP/1.1`,
  (target) => `PUT ${target} HTTP/1.1`,
  (target) => `post ${target} HTTP/1.1`,
  (target) => `POST ${target} HTTP/1.0`,
  (target) => `POST ${target} HTTP/2.0`,
  (target) => `POST  ${target} HTTP/1.1`,
  (target) => `POST ${target}/ HTTP/1.1`,
  (target) => `POST ${target}?a=b HTTP/1.1`,
  (target) => `POST ${target}#a HTTP/1.1`,
  (target) => `POST /${target} HTTP/1.1`,
  (target) => `POST ${target.replace("demo", "d%65mo")} HTTP/1.1`,
  (target) => `POST ${target.replace("demo", "DEMO")} HTTP/1.1`,
  (target) => `POST ${target.replace("demo", "../demo")} HTTP/1.1`,
  (target) => `POST http://evil.example${target} HTTP/1.1`,
  () => "POST /mcp HTTP/1.1",
  () => "CONNECT 127.0.0.1:80 HTTP/1.1",
  () => "OPTIONS * HTTP/1.1",
  () => "PRI * HTTP/2.0",
];

const change = fc.record({
  how: fc.constantFrom("add", "add", "add", "double", "drop", "start", "end"),
  at: fc.nat(20),
  line: fc.constantFrom(...LINES),
  start: fc.constantFrom(...STARTS),
  end: fc.constantFrom("\n", "\r", "\r\r\n", "\n\r\n", " \r\n", "\0\r\n"),
});

/** Up to three changes of a head. `lines` begin with the request line; the result includes the blank line. */
export const mutatedHead: fc.Arbitrary<
  (target: string, lines: readonly string[]) => string
> = fc.array(change, { maxLength: 3 }).map((changes) => (target, lines) => {
  const out = lines.map((text) => ({ text, end: "\r\n" }));
  for (const { how, at, line, start, end } of changes) {
    const index = at % out.length;
    const there = out[index];
    if (there === undefined) continue;
    if (how === "add") out.splice(index + 1, 0, { text: line, end: "\r\n" });
    else if (how === "double") out.splice(index, 0, there);
    else if (how === "drop" && out.length > 1) out.splice(index, 1);
    else if (how === "start") out[0] = { text: start(target), end: "\r\n" };
    else if (how === "end") out[index] = { text: there.text, end };
  }
  return `${out.map(({ text, end }) => text + end).join("")}\r\n`;
});
