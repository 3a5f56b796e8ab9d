// The HTTP cases about what a server says, definitions, pins, secrets and its own requests, at the other door: a guard
// before the same recording server. What an agent says is told in `stdio.test.ts`.
import { afterEach, describe, expect, test } from "vitest";
import { fakeServer, type FakeServer } from "../gateway/fake-server.ts";
import { until } from "../gateway/until.ts";
import { endGuards, TOKEN } from "../guard/open-guard.ts";
import { EXCEPTIONS } from "./guard-exceptions.ts";
import { ask, guardBefore, type Side } from "./guard-side.ts";
import { fill, httpCases, toolsOf, type HttpCase } from "./http-case.ts";
import { respondAs } from "./http-upstream.ts";
import { problems } from "./http-verdict.ts";
import { answerFor, pinnedFor, PIN_STEPS } from "./pin-steps.ts";

endGuards();
const servers: FakeServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

/** More than `limits.response`, and no more than a test needs. */
const MOST = 24 * 1024 * 1024;

/** Servers that are not there, or not to be asked. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  "http-upstream-10": "http://127.0.0.1:9/mcp",
  "http-upstream-32": "https://demo.example/mcp",
};

async function open() {
  const server = await fakeServer(answerFor);
  servers.push(server);
  return server;
}

async function replay(c: HttpCase, side: Side): Promise<readonly string[]> {
  const { input } = c;
  if (input.kind !== "upstream") return ["it is not about a server"];
  const { upstream } = input;
  if (side === "local" && Object.hasOwn(Object(upstream), "status_line"))
    return ["the program behind cannot say it"];
  const server = await open();
  const at = { url: server.url, token: TOKEN };
  const elsewhere = ELSEWHERE[c.id];
  const guard = await guardBefore(
    side,
    { url: elsewhere ?? server.url },
    {
      tools: toolsOf(c),
      limits: { call: c.id === "http-upstream-09" ? 1_500 : 20_000 },
      ...(c.id === "http-upstream-32" ? { address: "169.254.169.254" } : {}),
    },
  );
  server.respond(
    respondAs(c.id, upstream, (text) => fill(text, { ...at, most: MOST })),
  );
  const answer = await ask(guard, fill(input.client.body, at));
  if (c.expect.upstream_receives?.["reply"] !== undefined)
    await until(() => server.received.length > 1);
  const failed = answer.status > 403;
  // Where the gateway has begun its stream, it says in an event that it failed; a guard always does.
  const inEvent =
    failed &&
    c.expect.status === 200 &&
    /^(?:drop|(?:upstream_)?error(?:_event)?)$/.test(c.expect.outcome);
  return [
    ...problems(c.expect, {
      wire: {
        answers: [inEvent ? { ...answer, status: 200 } : answer],
        closed: false,
      },
      received: elsewhere === undefined ? server.received : [{} as never],
      records: guard.records,
      token: TOKEN,
    }),
    ...(c.expect.outcome === "upstream_error" && !failed
      ? ["the agent is not told that the server failed"]
      : []),
  ];
}

/** What a server can say over standard output too. */
const SAID = /^http-(?:list|server-req|tooldef|secret)-/;

const about = httpCases.filter((c) => c.input.kind === "upstream");
const CASES: Readonly<Record<Side, readonly HttpCase[]>> = {
  remote: about,
  local: about.filter(({ id }) => SAID.test(id)),
};

describe.each(["remote", "local"] as const)("%s", (side) => {
  for (const c of CASES[side])
    test(`${c.id}: ${c.title}`, async () => {
      const found = await replay(c, side).catch((error: unknown) => [
        String(error),
      ]);
      const exception = EXCEPTIONS[side][c.id];
      if (exception === undefined) expect(found).toEqual([]);
      else
        expect(found, `the exception is needless: ${exception}`).not.toEqual(
          [],
        );
    }, 60_000);

  // They are written out here, and need no file.
  for (const [id, steps] of Object.entries(PIN_STEPS))
    test(
      id,
      async () => {
        const server = await open();
        const guard = await guardBefore(side, server, { pins: pinnedFor(id) });
        await steps({
          server,
          records: guard.records,
          ask: (body) => ask(guard, body),
        });
      },
      60_000,
    );

  test("exceptions are few, and each is of a case that is there", () => {
    if (httpCases.length === 0) return;
    const ids = new Set(CASES[side].map(({ id }) => id));
    const excepted = Object.keys(EXCEPTIONS[side]);
    expect(excepted.filter((id) => !ids.has(id))).toEqual([]);
    const taken = ids.size + Object.keys(PIN_STEPS).length;
    expect(excepted.length).toBeLessThanOrEqual(taken / 20);
  });
});
