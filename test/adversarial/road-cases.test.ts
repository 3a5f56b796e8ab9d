// The shared hostile cases that end at the road, without a door: bodies of clients and answers of servers. The suite of
// the gateway replays all of them over HTTP; this one says which part is at fault. Without the cases nothing is replayed.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { enforceRequest } from "../../src/enforce/enforce-request.ts";
import { enforceResponse } from "../../src/enforce/enforce-response.ts";
import { createEventParser } from "../../src/enforce/event-stream.ts";
import type { Exchange, Outstanding } from "../../src/enforce/exchange.ts";
import {
  answerForm,
  headerValues,
  requestHeadProblem,
} from "../../src/enforce/http-head.ts";
import { decodeUtf8, readMessage } from "../../src/enforce/message.ts";
import type { Road } from "../../src/enforce/road.ts";
import { exchange, roadOf, type Rules } from "../support/enforce-case.ts";

interface Post {
  readonly kind: "post";
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}
interface Case {
  readonly id: string;
  readonly surface: string;
  readonly title: string;
  readonly policy: {
    readonly allow: readonly string[];
    readonly deny: readonly string[];
    readonly all: boolean;
  };
  readonly input:
    | Post
    | { readonly kind: "raw"; readonly bytes: string }
    | {
        readonly kind: "upstream";
        readonly client: Post;
        readonly upstream:
          | string
          | {
              readonly status?: number;
              readonly headers?: Readonly<Record<string, string>>;
              readonly body?: string;
              readonly chunks?: readonly string[];
            };
      }
    | { readonly kind: "steps" };
  readonly expect: {
    readonly outcome: string;
    readonly status?: unknown;
    readonly forwarded?: unknown;
    readonly client_receives?: Readonly<Record<string, unknown>>;
  };
}

const file = join(
  import.meta.dirname,
  "../../../shared/cases/adversarial.jsonl",
);
const cases = existsSync(file)
  ? readFileSync(file, "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as Case)
      .filter((c) => c.surface === "http")
  : [];
const inGroup = (c: Case, groups: readonly string[]) =>
  groups.some((group) => new RegExp(`^http-${group}-\\d`).test(c.id));

const TOKEN = "upstream-token-0123456789abcdef";
const rulesOf = ({ policy }: Case): Rules => ({
  allow: policy.all ? "all" : policy.allow,
  deny: policy.deny,
});

/** `{{S*N}}` is S repeated, `{{KEYS*N}}` N members. */
const expand = (text: string): string =>
  text
    .replaceAll("{TOKEN}", TOKEN)
    .replace(/\{\{KEYS\*(\d+)\}\}/g, (_all, n: string) =>
      Array.from({ length: Number(n) }, (_, i) => `"k${i}":0`).join(),
    )
    .replace(/\{\{([^{}]{1,20})\*(\d+)\}\}/g, (_all, s: string, n: string) =>
      s.repeat(Math.min(Number(n), 20_000_000)),
    );

/** What the road makes of a body: "forward", "drop", or the status of the answer. */
function judge(
  road: Road,
  body: Uint8Array,
  headers: Readonly<Record<string, string>> = {},
): string {
  const all = new Map(
    Object.entries({
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    }),
  );
  for (const [name, value] of Object.entries(headers))
    if (value === "(absent)") all.delete(name.toLowerCase());
    else all.set(name.toLowerCase(), value);
  const values = headerValues([...all].flat());
  const problem = requestHeadProblem(values);
  if (problem !== null) return String(problem.status);
  const verdict = enforceRequest(
    road,
    readMessage(body, { bytes: 4_194_304 }),
    { http: null, headers: values, outstanding: new Map() },
  );
  return verdict.kind === "answer"
    ? String(verdict.answer.status)
    : verdict.kind;
}

const CLIENT_GROUPS =
  "json name type shape syntax batch kind method ctype mirror log".split(" ");
const clientCases = cases.filter(
  (c) =>
    inGroup(c, CLIENT_GROUPS) &&
    c.input.kind === "post" &&
    // Whether a client may have a session is the door's to know.
    c.id !== "http-header-05",
);

test.each(clientCases.map((c) => [c.id, c.title, c] as const))(
  "%s %s",
  (_id, _title, c) => {
    if (c.input.kind !== "post") return;
    const got = judge(
      roadOf(rulesOf(c)),
      new TextEncoder().encode(expand(c.input.body)),
      c.input.headers,
    );
    const wanted =
      c.expect.forwarded === true ? "forward" : String(c.expect.status);
    expect(got).toBe(wanted);
  },
);

const encodingCases = cases.filter(
  (c) => inGroup(c, ["encoding"]) && c.input.kind === "raw",
);

test.each(encodingCases.map((c) => [c.id, c.title, c] as const))(
  "%s %s",
  (_id, _title, c) => {
    if (c.input.kind !== "raw") return;
    const [head = "", ...rest] = c.input.bytes
      .replace("{AUTH}\r\n", "\r\n")
      .split("\r\n\r\n");
    const headers = Object.fromEntries(
      head
        .split("\r\n")
        .slice(1)
        .map((line) => {
          const colon = line.indexOf(":");
          return [line.slice(0, colon), line.slice(colon + 1).trim()] as const;
        }),
    );
    const got = judge(
      roadOf(rulesOf(c)),
      Uint8Array.from(Buffer.from(rest.join("\r\n\r\n"), "latin1")),
      headers,
    );
    expect(got).toBe(String(c.expect.status));
  },
);

interface Seen {
  /** JSON that the client gets. */
  readonly messages: readonly Record<string, unknown>[];
  /** JSON that the server gets back. */
  readonly replies: readonly Record<string, unknown>[];
  /** False when the request ends without the server's answer: the door then says so. */
  readonly answered: boolean;
}

/** What a client sees of a server's answer, as a door shows it. */
function relay(road: Road, c: Case): Seen | null {
  if (c.input.kind !== "upstream") return null;
  const { upstream, client } = c.input;
  const request = JSON.parse(client.body) as {
    readonly id: number;
    readonly method: string;
  };
  const open: Exchange = exchange(request.method, { id: String(request.id) });
  const outstanding: Outstanding = new Map([[open.id, open]]);
  const messages: Record<string, unknown>[] = [];
  const replies: Record<string, unknown>[] = [];
  let answered = false;
  const take = (text: string, place: "body" | "stream") => {
    const verdict = enforceResponse(road, text, {
      outstanding,
      place,
      era: "legacy",
    });
    if (verdict.kind === "reply")
      replies.push(JSON.parse(verdict.text) as Record<string, unknown>);
    if (verdict.kind !== "pass") return;
    messages.push(JSON.parse(verdict.text) as Record<string, unknown>);
    if (verdict.settled !== null) {
      outstanding.delete(verdict.settled.id);
      answered = true;
    }
  };
  if (typeof upstream === "string") {
    const result = resultOf(expand(upstream), request.method);
    if (result === null) return null;
    take(`{"jsonrpc":"2.0","id":${request.id},"result":${result}}`, "body");
    return { messages, replies, answered };
  }
  const { headers, body, chunks } = upstream;
  if (headers === undefined || (body === undefined && chunks === undefined))
    return null;
  const form = answerForm(headerValues(Object.entries(headers).flat()));
  if (form === "json" && body !== undefined) {
    const text = decodeUtf8(new TextEncoder().encode(expand(body)));
    if (text !== null) take(text, "body");
  } else if (form === "events") {
    const parser = createEventParser(16 * 1024 * 1024);
    for (const chunk of (chunks ?? []).map(expand)) {
      const bytes = /[^\0-\xff]/.test(chunk)
        ? new TextEncoder().encode(chunk)
        : Uint8Array.from(Buffer.from(chunk, "latin1"));
      for (const event of parser.push(bytes))
        if (event.event === null && event.data !== null)
          take(event.data, "stream");
    }
  }
  return { messages, replies, answered };
}

/** The result that a short form of the cases stands for. */
function resultOf(text: string, method: string): string | null {
  if (text.includes("…")) return null;
  if (text.startsWith("{")) return text;
  if (text.startsWith("tools:")) return `{"tools":${text.slice(6)}}`;
  if (text.startsWith('"text":'))
    return `{"content":[{"type":"text",${text}}]}`;
  if (text.startsWith('"') && method === "tools/list")
    return `{"tools":[],${text}}`;
  return null;
}

const UPSTREAM_GROUPS = "upstream sse list server-req tooldef secret".split(
  " ",
);
const upstreamCases = cases.flatMap((c) => {
  if (!inGroup(c, UPSTREAM_GROUPS)) return [];
  const road = roadOf(rulesOf(c), [TOKEN]);
  const seen = relay(road, c);
  return seen === null ? [] : [[c.id, c.title, c, seen] as const];
});

test.each(upstreamCases)("%s %s", (_id, _title, c, seen) => {
  const { outcome, client_receives: wanted = {} } = c.expect;
  const shown = JSON.stringify(seen.messages);
  expect(shown).not.toContain(TOKEN);
  expect(shown).not.toContain("ghp_0123456789");
  const answer = seen.messages.find((m) => "result" in m)?.["result"] as
    | {
        readonly tools?: readonly { readonly name: string }[];
        readonly nextCursor?: string;
        readonly cacheScope?: string;
      }
    | undefined;
  expect(answer?.tools?.map((t) => t.name) ?? []).not.toContain("delete_all");
  if (outcome === "upstream_error" || outcome === "error_event")
    expect(seen.answered).toBe(false);
  if (outcome.startsWith("allow") || outcome === "withhold")
    expect(seen.answered).toBe(true);
  if (outcome === "withhold") expect(answer?.tools).toEqual([]);
  if (Array.isArray(wanted["tools"]))
    expect(answer?.tools?.map((t) => t.name)).toEqual(wanted["tools"]);
  if (typeof wanted["nextCursor"] === "string")
    expect(answer?.nextCursor).toBe(wanted["nextCursor"]);
  if (typeof wanted["cacheScope"] === "string")
    expect(answer?.cacheScope).toBe(wanted["cacheScope"]);
  if (Array.isArray(wanted["only members"]))
    for (const name of Object.keys(answer ?? {}))
      expect(wanted["only members"]).toContain(name);
  if (outcome === "blocked_and_answered") {
    expect(seen.replies).toHaveLength(1);
    expect(seen.messages.filter((m) => "method" in m)).toEqual([]);
  }
  if (outcome === "drop")
    expect(seen.messages.filter((m) => "method" in m)).toEqual([]);
});

test.runIf(cases.length > 0)("enough of the cases end at the road", () => {
  expect(
    clientCases.length + encodingCases.length + upstreamCases.length,
  ).toBeGreaterThan(100);
});
