// Rules about arguments through a real gateway: what they refuse reaches no server, and what is let through does so
// unchanged.
import { afterEach, expect, test } from "vitest";
import { call, post } from "./client.ts";
import { answerWith, fakeServer, type FakeServer } from "./fake-server.ts";
import { openGateway, type OpenGateway } from "./open-gateway.ts";

let server: FakeServer | null = null;
let open: OpenGateway | null = null;

async function world(more: string) {
  server = await fakeServer();
  open = await openGateway({
    url: server.url,
    token: null,
    tools: "{ allow: [read_file, write_file], reads: [read_file] }",
    more,
  });
  return { server, ...open };
}

afterEach(async () => {
  await open?.gateway.close();
  await server?.close();
  open = server = null;
});

const RULES = `    paths: { read: [docs/**], write: [out/**] }
    hosts: { allow: [api.example.com] }
private: [plans]
secrets: { refuse: ["ACME-[0-9]+"], redact: ["PIN-[0-9]{4}"] }
`;

test.each([
  ["private", { path: "~/.ssh/id_rsa" }],
  ["private", { note: "look into docs/plans, please" }],
  ["paths.write", { path: "docs/a" }],
  ["paths.write", { path: "out/../docs/a" }],
  ["hosts.allow", { url: "https://evil.example/" }],
  ["secrets.refuse", { id: "ACME-12" }],
  ["secrets", { key: `ghp_${"a1".repeat(18)}` }],
])("what %s refuses reaches no server: %j", async (rule, args) => {
  const { server, url, records } = await world(RULES);
  const got = await post(url, call("write_file", args));
  expect(got.status).toBe(403);
  expect(got.json?.error).toMatchObject({
    code: 4030,
    data: { error: "policy_denied", rule, tool: "write_file" },
  });
  expect(String(got.json?.error?.["message"])).toMatch(/allowed|may be named/);
  expect(server.received).toEqual([]);
  expect(records).toMatchObject([{ effect: "deny", rule }]);
  // No value of an argument stands in the log.
  for (const value of Object.values(args))
    expect(JSON.stringify(records)).not.toContain(value);
});

test("what they let through arrives as it was sent", async () => {
  const { server, url } = await world(RULES);
  const args = {
    path: "out/%2e/new file",
    url: "https://API.example.com./",
    list: [1, 1.0, "docs and more", null],
  };
  expect((await post(url, call("write_file", args))).status).toBe(200);
  expect(server.received[0]?.message?.params).toEqual({
    name: "write_file",
    arguments: args,
  });
});

test("the rate counts the calls of all clients", async () => {
  const { server, url } = await world("    limits: { rate: 2/h }\n");
  const ask = async () => (await post(url, call("read_file"))).status;
  expect([await ask(), await ask(), await ask()]).toEqual([200, 200, 403]);
  expect(server.received).toHaveLength(2);
});

test("what `secrets.redact` finds is taken out of results, also over two texts, and the rest stays", async () => {
  const { server, url } = await world(RULES);
  server.respond(
    answerWith({
      content: [
        { type: "text", text: "the \u0050IN-1234, and PIN-" },
        { type: "text", text: "9876 after it; PIN-12 is none" },
        { type: "image", data: "UElOLTEyMzQ=", mimeType: "image/png" },
      ],
      structuredContent: { deep: [{ "PIN-5555": "PIN-4321" }], n: 1.0 },
    }),
  );
  const got = await post(url, call("read_file"));
  const text = JSON.stringify(got.json?.result);
  expect(text).not.toMatch(/PIN-\d{4}|9876/);
  expect(text).toContain("PIN-12 is none");
  expect(text).toContain("UElOLTEyMzQ=");
  expect(got.json?.result?.["_meta"]).toMatchObject({
    "fenzi/server": "demo",
    "fenzi/untrusted": true,
  });
});
