// What an isolated server reaches through the proxy, and what it does not. Not a golden case: it needs sockets.
import { once } from "node:events";
import { createServer, request, type Server } from "node:http";
import {
  connect,
  createServer as createListener,
  type AddressInfo,
} from "node:net";
import { afterEach, expect, test } from "vitest";
import {
  addressRefusal,
  hostRefusal,
  type HostRules,
} from "../../src/policy/judge-host.ts";
import {
  startHostsProxy,
  type ProxyLine,
} from "../../src/proxy/hosts-proxy.ts";

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A server that says which host it was asked for, and redirects to another. */
async function origin(): Promise<{
  server: Server;
  port: number;
  seen: string[];
}> {
  const seen: string[] = [];
  const server = createServer((req, res) => {
    seen.push(`${req.headers.host ?? ""}${req.url ?? ""}`);
    if (req.url === "/away")
      res.writeHead(302, { location: "http://other.example/" }).end();
    else res.end("here");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  closing.push(() => void server.close());
  return { server, port: (server.address() as AddressInfo).port, seen };
}

async function proxy(
  layers: readonly HostRules[],
  names: Readonly<Record<string, readonly string[]>>,
  logs = true,
): Promise<{ port: number; lines: ProxyLine[] }> {
  const lines: ProxyLine[] = [];
  const running = startHostsProxy({
    judge: (target) => hostRefusal(layers, target),
    refuseAddress: (address) => addressRefusal(layers, address),
    log: (line) => lines.push(line) > 0 && logs,
    resolve: (name) => Promise.resolve(names[name] ?? [name]),
  });
  const listener = createListener().listen(0, "127.0.0.1");
  await once(listener, "listening");
  running.take(listener);
  closing.push(() => running.close());
  return { port: (listener.address() as AddressInfo).port, lines };
}

const get = (
  port: number,
  url: string,
  host = "x",
): Promise<{ status: number; body: string; location: string }> =>
  new Promise((resolve, reject) => {
    request(
      { host: "127.0.0.1", port, path: url, headers: { host } },
      (res) => {
        let body = "";
        res.on("data", (chunk) => (body += String(chunk)));
        res.on("end", () =>
          resolve({
            status: res.statusCode ?? 0,
            body,
            location: res.headers.location ?? "",
          }),
        );
      },
    )
      .on("error", reject)
      .end();
  });

/** The first line of the answer to CONNECT, and what comes through the tunnel. */
const tunnel = (port: number, to: string, send = ""): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    let text = "";
    socket.write(`CONNECT ${to} HTTP/1.1\r\nHost: ${to}\r\n\r\n`);
    socket.on("data", (chunk) => {
      const first = text === "";
      text += chunk.toString();
      if (first && send !== "" && text.startsWith("HTTP/1.1 200"))
        socket.write(send);
    });
    socket.on("close", () => resolve(text));
    socket.on("error", reject);
  });

const HERE = "127.0.0.1";
const only = (...allow: string[]): readonly HostRules[] => [
  { allow, ports: null },
];

test("an allowed host is reached, by CONNECT and by a whole URL, and its own name is sent", async () => {
  const { port, seen } = await origin();
  const p = await proxy(only("api.example.com", HERE), {
    "api.example.com": [HERE],
  });
  expect(
    (await get(p.port, `http://api.example.com:${port}/a`, "other.example"))
      .body,
  ).toBe("here");
  const through = await tunnel(
    p.port,
    `api.example.com:${port}`,
    "GET /b HTTP/1.0\r\nHost: y\r\n\r\n",
  );
  expect(through).toContain("200 Connection Established");
  expect(through).toContain("here");
  expect(seen).toEqual([`api.example.com:${port}/a`, "y/b"]);
  expect(p.lines.map((l) => `${l.effect} ${l.http}`)).toEqual([
    `allow GET api.example.com:${port}`,
    `allow CONNECT api.example.com:${port}`,
  ]);
});

test("a redirect to another host is passed on, and whoever follows it is refused", async () => {
  const { port } = await origin();
  const p = await proxy(only("api.example.com", HERE), {
    "api.example.com": [HERE],
  });
  const moved = await get(p.port, `http://api.example.com:${port}/away`);
  expect(moved.status).toBe(302);
  expect((await get(p.port, moved.location)).status).toBe(403);
});

test.each([
  ["another host", "other.example:443"],
  ["a host below one that is listed without a star", "x.api.example.com:443"],
  ["a host that ends alike", "evilapi.example.com:443"],
  ["metadata", "169.254.169.254:80"],
  ["metadata in decimal", "2852039166:80"],
  ["metadata in hexadecimal", "0xa9fea9fe:80"],
  ["metadata inside IPv6", "[::ffff:169.254.169.254]:80"],
  ["metadata by name", "metadata.google.internal:80"],
  ["this machine", "localhost:22"],
  ["this machine in short", "127.1:22"],
  ["all of this machine", "0.0.0.0:22"],
  ["a user in front", "api.example.com@other.example:443"],
  ["no port", "api.example.com"],
  ["port 0", "api.example.com:0"],
  ["a port that is none", "api.example.com:99999"],
])("CONNECT is refused: %s", async (_what, to) => {
  const p = await proxy(only("api.example.com"), {});
  expect(await tunnel(p.port, to)).toMatch(/^HTTP\/1\.1 403 /);
  expect(p.lines.map((l) => l.effect)).toEqual(["deny"]);
});

test.each([
  "https://api.example.com/",
  "ftp://api.example.com/",
  "/",
  "http://u:p@api.example.com/",
])("a request is refused: %s", async (url) => {
  const p = await proxy(only("api.example.com"), {});
  expect((await get(p.port, url)).status).toBe(403);
});

test.each([
  ["this machine", HERE],
  ["this machine inside IPv6", "::ffff:127.0.0.1"],
  ["a private network", "10.1.2.3"],
  ["a private IPv6 network", "fd00::1"],
  ["metadata", "169.254.169.254"],
  ["nothing", "0.0.0.0"],
])(
  "an allowed name that leads to %s is refused, also among good addresses",
  async (_what, address) => {
    const p = await proxy(only("api.example.com"), {
      "api.example.com": ["93.184.216.34", address],
    });
    expect(await tunnel(p.port, "api.example.com:443")).toMatch(
      /^HTTP\/1\.1 403 /,
    );
    expect(p.lines[0]?.reason).toContain("has to be listed itself");
  },
);

test("other spellings of a listed host are that host", async () => {
  const { port } = await origin();
  const p = await proxy(only(HERE, "api.example.com"), {
    "api.example.com": [HERE],
  });
  for (const to of [
    `127.1:${port}`,
    `0x7f000001:${port}`,
    `[::ffff:7f00:1]:${port}`,
    `API.Example.COM:${port}`,
    `api.example.com.:${port}`,
  ])
    expect(await tunnel(p.port, to, "GET / HTTP/1.0\r\n\r\n"), to).toContain(
      "here",
    );
});

test("every layer must allow the host and the port", async () => {
  const p = await proxy(
    [
      { allow: ["*.example.com"], ports: [443] },
      { allow: ["api.example.com", "other.example"], ports: null },
      { allow: null, ports: [443, 80] },
    ],
    { "api.example.com": [HERE] },
  );
  const said = async (to: string) => {
    await tunnel(p.port, to);
    return p.lines.at(-1)?.rule;
  };
  expect(await said("other.example:443")).toBe("hosts.allow");
  expect(await said("b.example.com:443")).toBe("hosts.allow");
  expect(await said("api.example.com:80")).toBe("hosts.ports");
  // Allowed by all, and then stopped by where its name leads.
  expect(await said("api.example.com:443")).toBe("hosts.allow");
  expect(p.lines.at(-1)?.reason).toContain("loopback");
});

test("what cannot be logged goes nowhere", async () => {
  const { port, seen } = await origin();
  const p = await proxy(only(HERE), {}, false);
  expect(await tunnel(p.port, `${HERE}:${port}`)).toMatch(/^HTTP\/1\.1 403 /);
  expect((await get(p.port, `http://${HERE}:${port}/`)).status).toBe(403);
  expect(seen).toEqual([]);
});

test.each(["HTTP/1.1 099 x", "HTTP/1.1 200 x\r\nX-A: \u0001"])(
  "an answer that no server may send, %j, is the end of that request only",
  async (head) => {
    const server = createListener((socket) => {
      socket.once("data", () =>
        socket.end(`${head}\r\nContent-Length: 0\r\n\r\n`),
      );
    }).listen(0, HERE);
    await once(server, "listening");
    closing.push(() => void server.close());
    const bad = (server.address() as AddressInfo).port;
    const { port, seen } = await origin();
    const p = await proxy(only(HERE), {});
    expect((await get(p.port, `http://${HERE}:${bad}/`)).status).toBe(502);
    expect((await get(p.port, `http://${HERE}:${port}/`)).status).toBe(200);
    expect(seen).toHaveLength(1);
  },
);

test("the body of a request is never another request", async () => {
  let sent = "";
  const server = createListener((socket) =>
    socket.on("data", (chunk) => {
      sent += chunk.toString();
      if (sent.includes("inner")) socket.destroy();
    }),
  ).listen(0, HERE);
  await once(server, "listening");
  closing.push(() => void server.close());
  const p = await proxy(only(HERE), {});
  const to = `${HERE}:${(server.address() as AddressInfo).port}`;
  const inner = "GET /inner HTTP/1.1\r\nHost: other.example\r\n\r\n";
  const chunk = `${inner.length.toString(16)}\r\n${inner}\r\n`;
  const socket = connect(p.port, HERE);
  socket.write(
    `GET http://${to}/ HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n${chunk}0\r\n\r\n`,
  );
  socket.resume();
  await once(socket, "close");
  expect(sent).toContain("\r\nTransfer-Encoding: chunked\r\n");
  expect(sent).toContain(`\r\n\r\n${chunk}`);
});
