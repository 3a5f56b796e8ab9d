// Every hostile HTTP case of the shared file against the real gateway with a server that records what it gets.
import { describe, expect, test } from "vitest";
import { fakeServer } from "../gateway/fake-server.ts";
import {
  openGateway,
  TOKEN,
  type OpenGateway,
} from "../gateway/open-gateway.ts";
import { fill, httpCases, toolsOf, type HttpCase } from "./http-case.ts";
import { EXCEPTIONS } from "./http-exceptions.ts";
import { postBytes, send, type Wire } from "./http-exchange.ts";
import { STEPS } from "./http-steps.ts";
import { answerFor, pinnedFor } from "./pin-steps.ts";
import { respondAs } from "./http-upstream.ts";
import { problems } from "./http-verdict.ts";

/** Short, so that what must time out does so while a test waits. */
const BOUNDS = { headTime: 800, requestTime: 800, closing: 200 };

/** More than `limits.response`, and no more than a test needs. */
const MOST = 24 * 1024 * 1024;

async function replay(c: HttpCase): Promise<readonly string[]> {
  const server = await fakeServer(answerFor);
  let url = server.url;
  if (c.id === "http-upstream-10") url = "http://127.0.0.1:9/mcp";
  if (c.id === "http-upstream-32") url = "https://demo.example/mcp";
  const open = await openGateway({
    url,
    tools: toolsOf(c),
    more: "    token: true\n",
    bounds: BOUNDS,
    limits: { call: c.id === "http-upstream-09" ? 1_500 : 20_000 },
    agents: ["claude-code", "codex"],
    ...(c.id.startsWith("http-pin-") ? { pins: pinnedFor(c.id) } : {}),
    ...(c.id === "http-upstream-32" ? { address: "169.254.169.254" } : {}),
  });
  try {
    if (c.input.kind === "steps") {
      const steps = STEPS[c.id];
      if (steps === undefined) return ["no steps are written for it"];
      await steps({ server, open });
      return [];
    }
    const wire = await exchange(c, open, (upstream) =>
      server.respond(respondAs(c.id, upstream, filling(open, MOST))),
    );
    // What is sent back to the server goes its own way.
    if (c.expect.upstream_receives?.["reply"] !== undefined)
      await new Promise((resolve) => setTimeout(resolve, 100));
    const received =
      c.id === "http-upstream-10" || c.id === "http-upstream-32"
        ? [{} as never]
        : server.received;
    return problems(c.expect, {
      wire,
      received,
      records: open.records,
      token: TOKEN,
    });
  } finally {
    await open.gateway.close();
    await server.close();
  }
}

const filling = (open: OpenGateway, most: number) => (text: string) =>
  fill(text, { url: open.url, token: TOKEN, most });

function exchange(
  c: HttpCase,
  open: OpenGateway,
  behave: (upstream: string | Readonly<Record<string, unknown>>) => void,
): Promise<Wire> {
  const { input } = c;
  const at = { url: open.url, token: TOKEN };
  if (input.kind === "raw")
    return send(open.url, Buffer.from(fill(input.bytes, at), "latin1"), {
      end: input.then === "FIN",
      quiet: input.then === "keep open" ? 3_000 : 400,
    });
  if (input.kind === "upstream") {
    behave(input.upstream);
    return send(open.url, postBytes(input.client, at), { quiet: 3_000 });
  }
  if (input.kind === "post")
    return send(open.url, postBytes(input, at), { quiet: 3_000 });
  throw new TypeError("steps are not sent as one");
}

describe("http", () => {
  for (const c of httpCases)
    test(`${c.id}: ${c.title}`, async () => {
      const found = await replay(c).catch((error: unknown) => [String(error)]);
      const exception = EXCEPTIONS[c.id];
      if (exception === undefined) expect(found).toEqual([]);
      else
        expect(found, `the exception is needless: ${exception}`).not.toEqual(
          [],
        );
    });

  test("exceptions are few, and each is of a case that is there", () => {
    if (httpCases.length === 0) return;
    const ids = new Set(httpCases.map((c) => c.id));
    expect(Object.keys(EXCEPTIONS).filter((id) => !ids.has(id))).toEqual([]);
    expect(Object.keys(EXCEPTIONS).length).toBeLessThanOrEqual(
      httpCases.length / 20,
    );
  });
});
