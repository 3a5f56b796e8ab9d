// Whether what happened is what a case wants: what the client got, what the server got, what the log says.
import type { CallRecord } from "../../src/enforce/record.ts";
import type { Received } from "../gateway/fake-server.ts";
import type { CaseExpect } from "./http-case.ts";
import type { Answer, Wire } from "./http-exchange.ts";

export interface Happened {
  readonly wire: Wire;
  readonly received: readonly Received[];
  readonly records: readonly CallRecord[];
  readonly token: string;
}

/** What is wrong, in words; empty when all is as wanted. */
export function problems(
  wanted: CaseExpect,
  happened: Happened,
): readonly string[] {
  const { wire, received, token } = happened;
  const out: string[] = [];
  const statuses = wire.answers.map((answer) => answer.status);
  if (!statusFits(wanted, wire))
    out.push(
      `status ${statuses.join(", ") || "none"}, wanted ${String(wanted.status)}`,
    );
  const forwarded = received.length > 0;
  const wish =
    typeof wanted.forwarded === "boolean"
      ? wanted.forwarded
      : wanted.forwarded[0] === true;
  if (typeof wanted.forwarded !== "string" && forwarded !== wish)
    out.push(`forwarded: ${forwarded}`);
  if (
    wanted.connection === "close" &&
    !wire.closed &&
    wire.answers[0]?.headers.get("connection") !== "close"
  )
    out.push("the connection stays open");
  const [answer] = wire.answers;
  if (answer !== undefined) {
    for (const name of answer.headers.keys())
      if (!ANSWER_HEADERS.has(name))
        out.push(`the answer has the header ${name}`);
    if (JSON.stringify(wire.answers).includes(token))
      out.push("the token came back");
    out.push(...outcomeProblems(wanted, answer));
    for (const [what, value] of Object.entries(wanted.client_receives ?? {}))
      out.push(...clientProblems(what, value, answer));
  }
  for (const [what, value] of Object.entries(wanted.upstream_receives ?? {}))
    out.push(...upstreamProblems(what, value, happened));
  if (JSON.stringify(happened.records).includes(token))
    out.push("the token is in the log");
  return out;
}

/** All that an answer of the gateway may have. */
const ANSWER_HEADERS = new Set([
  "content-type",
  "content-length",
  "cache-control",
  "transfer-encoding",
  "x-accel-buffering",
  "allow",
  "retry-after",
  "mcp-session-id",
  "date",
  "connection",
  "keep-alive",
]);

function statusFits(wanted: CaseExpect, wire: Wire): boolean {
  const got = wire.answers.map((answer) => answer.status);
  const { status, also_ok = "" } = wanted;
  if (Array.isArray(status))
    return JSON.stringify(got) === JSON.stringify(status);
  const allowed = [
    ...String(status).matchAll(/\d{3}/g),
    ...also_ok.matchAll(/\b\d{3}\b/g),
  ].map(Number);
  if (allowed.includes(400)) allowed.push(403);
  if (/closed/.test(String(status)) && got.length === 0) return wire.closed;
  // Some tolerated alternatives let the call through.
  if (/^(?:forward|ignore|allow)/.test(also_ok)) allowed.push(200);
  return got.length === 1 && allowed.includes(got[0] ?? 0);
}

function outcomeProblems(
  wanted: CaseExpect,
  answer: Answer,
): readonly string[] {
  const last = answer.events.at(-1) ?? answer.json;
  switch (wanted.outcome) {
    case "deny":
      return answer.status !== 403 ||
        answer.json === null ||
        answer.json.error === undefined ||
        typeof answer.json.error === "string"
        ? []
        : answer.json.error.message.includes("policy_denied")
          ? []
          : ["the refusal does not say so"];
    case "header_mismatch":
      return answer.json?.error?.code === -32_020 && answer.json.id === 1
        ? []
        : ["no HeaderMismatch with the id"];
    case "reject_version":
      return answer.json?.error?.code === -32_022
        ? []
        : ["no UnsupportedProtocolVersion"];
    case "error_event":
      return last?.error !== undefined && last.id === 1
        ? []
        : ["no error for the id at the end"];
    case "withhold":
      return JSON.stringify(answer.json?.result?.["tools"]) === "[]"
        ? []
        : ["the tool is listed"];
    // Unless the case says what else arrives, it is the result alone.
    case "drop":
      return wanted.client_receives !== undefined ||
        (answer.events.length === 1 && last?.result !== undefined)
        ? []
        : ["more than the result came through"];
    default:
      return [];
  }
}

const resultOf = (answer: Answer): Readonly<Record<string, unknown>> =>
  [answer.json, ...answer.events].find((m) => m?.result !== undefined)
    ?.result ?? {};

function clientProblems(
  what: string,
  value: unknown,
  answer: Answer,
): readonly string[] {
  const result = resultOf(answer);
  const same = (a: unknown, b: unknown) =>
    JSON.stringify(a) === JSON.stringify(b)
      ? []
      : [`${what}: ${JSON.stringify(a)}`];
  switch (what) {
    case "tools":
      return same(
        (result["tools"] as { name: string }[] | undefined)?.map((t) => t.name),
        value,
      );
    case "nextCursor":
    case "cacheScope":
      return same(result[what], value);
    case "only members":
      return Object.keys(result)
        .filter((name) => !(value as string[]).includes(name))
        .map((name) => `the result has ${name}`);
    case "responses":
      return same(answer.events.filter((e) => e.id === 1).length, value);
    case "server request":
      return answer.events.some((e) => e.method !== undefined)
        ? ["a request of the server came through"]
        : [];
    case "events":
      // Besides what the case names there is the error that ends the stream.
      return answer.events.every((e) => e.error !== undefined && e.id === 1) &&
        answer.events.length === 1
        ? []
        : [`events: ${JSON.stringify(answer.events)}`];
    case "JSON-RPC error for id 1":
      return answer.events.at(-1)?.error !== undefined
        ? []
        : ["no error at the end"];
    case "not contains":
    case "not contains (decoded)":
      return /ghp_\w{30}/.test(JSON.stringify(JSON.parse(answer.body)))
        ? ["a secret came through"]
        : [];
    default:
      return [`unknown claim ${what}`];
  }
}

function upstreamProblems(
  what: string,
  value: unknown,
  { received, token }: Happened,
): readonly string[] {
  const [first] = received;
  const headers = first?.headers ?? {};
  const params = first?.message?.params ?? {};
  const fail = (fine: boolean) =>
    fine ? [] : [`the server got another ${what}`];
  switch (what) {
    case "params.name":
      return fail(
        params["name"] === value &&
          first?.body.includes(`"${String(value)}"`) === true,
      );
    case "params.capabilities":
      return fail(
        JSON.stringify(params["capabilities"]) === JSON.stringify(value),
      );
    case "own member params.arguments.__proto__":
      return fail(
        first?.body.includes(`"__proto__":${JSON.stringify(value)}`) === true,
      );
    case "raw text contains":
      return fail(first?.body.includes(String(value)) === true);
    case "header absent":
      return fail(!(String(value).toLowerCase() in headers));
    case "no trailer":
      return fail(!("trailer" in headers));
    case "authorization":
      return fail(
        headers.authorization === `Bearer ${token}` &&
          first?.rawHeaders.filter((h) => h.toLowerCase() === "authorization")
            .length === 1,
      );
    case "cookie":
    case "proxy-authorization":
    case "baggage":
    case "mcp_name":
      return fail(!(what in headers));
    case "reply": {
      const reply = received[1]?.message;
      if (reply === undefined || reply === null)
        return ["the server got no answer"];
      const error = reply["error"] as { code: number } | undefined;
      return fail(
        value === "{}"
          ? JSON.stringify(reply["result"]) === "{}"
          : error !== undefined &&
              (value === "-32601" ? error.code === -32_601 : reply.id === 1),
      );
    }
    default:
      return [`unknown claim ${what}`];
  }
}
