// The one road for a message of a client: read strictly (`message.ts`) → era and headers → method table and tool rules
// (`decide`) → forward, drop, or an answer of our own, with the record for the log. No I/O and no clock.
import {
  decide,
  decideArguments,
  type Decision,
  type Reason,
} from "../policy/decide.ts";
import { isWithoutConsequence } from "../policy/method-table.ts";
import { argumentNames, mayBeShown } from "./argument-names.ts";
import { callArguments } from "./call-arguments.ts";
import { eraOf, mirrorProblem, type EraFound } from "./era.ts";
import type { Exchange, Waiting } from "./exchange.ts";
import {
  declaredHeaders,
  encodeMirrored,
  paramHeaders,
  type HeaderValues,
} from "./http-head.ts";
import { memberOf, stringOf } from "./json-scan.ts";
import { idOf, type Message, type Problem } from "./message.ts";
import { ownCopy } from "./own-copy.ts";
import { CODE, type Era } from "./protocol.ts";
import { findPin } from "./pins.ts";
import type { CallRecord } from "./record.ts";
import { malformed, refusal, shown } from "./refuse.ts";
import type { Road } from "./road.ts";
import { trimRequest, wantsToolsChanged } from "./trim-request.ts";
import type { Answer, Verdict } from "./verdict.ts";

interface RequestContext {
  /** What the log shows of the way: "POST mcp.deepwiki.com/mcp"; null for standard input. */
  readonly http: string | null;
  /** The client's headers; null where there are none. */
  readonly headers: HeaderValues | null;
  /** What this client waits for: a cancellation must name one of these, and an id must not be used twice at once. */
  readonly outstanding: Waiting;
}

/** Judges what `readMessage` made of a client's bytes. Never throws. */
export function enforceRequest(
  road: Road,
  read: Message | Problem,
  context: RequestContext,
): Verdict {
  if (read.kind === "problem") return refuseProblem(road, read, context);
  const message = read;
  const call = message.method === "tools/call";
  const tool = call
    ? stringOf(message.text, memberOf(message.params, "name"))
    : null;
  const wrong = (code: number, words: string, data: string | null = null) =>
    refuseProblem(
      road,
      {
        kind: "problem",
        status: 400,
        code,
        words,
        id: message.id,
        method: message.method,
        bytes: message.bytes.length,
      },
      context,
      { tool, data },
    );

  if (call && tool === null)
    return wrong(CODE.params, "`params.name` must be a string");
  const found = eraOf(message, context.headers);
  if ("code" in found) return wrong(found.code, found.words, found.data);
  if (context.headers !== null) {
    const lie = mirrorProblem(message, found.era, context.headers, tool);
    if (lie !== null) return wrong(lie.code, lie.words, lie.data);
  }

  const decision = judge(road, message, tool);
  const judged: Judged = { road, message, context, tool, found };
  if (decision.effect !== "allow") return refuseCall(judged, decision);
  const closed = call ? closedFeature(message) : null;
  if (closed !== null) return refuseCall(judged, denial(road, closed));
  if (message.loneSurrogate)
    return wrong(CODE.invalid, "a string is not valid Unicode");
  const args = memberOf(message.params, "arguments");
  if (call && args !== null && args.kind !== "object" && !isNull(message, args))
    return wrong(CODE.params, "`params.arguments` must be an object");
  if (message.id !== null && context.outstanding.has(message.id))
    return wrong(CODE.invalid, "the id is in use by another request");
  if (
    message.method === "initialize" &&
    found.era === "legacy" &&
    !isInitialize(message)
  )
    return wrong(
      CODE.params,
      "`initialize` needs `protocolVersion`, `capabilities` and `clientInfo`",
    );
  if (message.method === "notifications/cancelled") {
    const named = memberOf(message.params, "requestId");
    const id = named === null ? null : idOf(message.text, named);
    if (id === null) return wrong(CODE.params, "`requestId` is not an id");
    // Another client's request on the same server must not be ended.
    if (!context.outstanding.has(id)) return { kind: "drop", record: null };
  }
  if (message.method === "subscriptions/listen" && !wantsToolsChanged(message))
    return refuseCall(
      judged,
      denial(road, "only `toolsListChanged` can be listened for"),
    );
  // An older server has no use for it, and a newer one no such notification.
  if (message.method === "notifications/initialized" && found.era === "modern")
    return { kind: "drop", record: null };
  return forward(judged, decision, wrong);
}

interface Judged {
  readonly road: Road;
  readonly message: Message;
  readonly context: RequestContext;
  readonly tool: string | null;
  readonly found: EraFound;
}

function judge(road: Road, message: Message, tool: string | null): Decision {
  const { policy, facts } = road;
  if (tool === null || message.kind !== "request")
    return decide(policy, { kind: message.kind, method: message.method });
  const known = road.tools.get(tool);
  const { pins } = road.pins;
  const pin =
    pins.length === 0 ? undefined : findPin(pins, tool, known?.hash ?? null);
  const listedTwice = road.tools.isListedTwice(tool);
  const decision = decide(
    policy,
    pin === undefined ? { tool, listedTwice } : { tool, listedTwice, pin },
  );
  const node = memberOf(message.params, "arguments");
  // What the tool rules refuse costs no look at the disk; half a surrogate pair is refused later, with other words.
  if (decision.effect === "deny" || message.loneSurrogate) return decision;
  const { rates } = policy.arguments;
  if (rates.length === 0 && (node?.members ?? []).length === 0) return decision;
  const { texts, paths, tooMany } = callArguments(
    policy.arguments,
    facts,
    message.text,
    node,
    {
      shown: (name) => mayBeShown(name, known),
      isText: (name) => known?.textArguments.has(name) === true,
    },
  );
  return decideArguments(policy, decision, tool, {
    texts,
    paths,
    tooMany,
    spent: rates.map(
      ({ calls, window }) => road.calls.before(calls) > facts.now() - window,
    ),
  });
}

/** Parts of a call that lead around the tool rules or answer what was never asked, in words. */
function closedFeature(message: Message): string | null {
  if (memberOf(message.params, "task") !== null)
    return "calls that go on as tasks are not open";
  return memberOf(message.params, "inputResponses") !== null ||
    memberOf(message.params, "requestState") !== null
    ? "questions of a server are not passed on, so there is nothing to answer"
    : null;
}

const denial = (road: Road, message: string): Decision => ({
  effect: "deny",
  reasons: [{ rule: "method", message, origin: road.policy.origin }],
});

const isInitialize = ({ params }: Message): boolean =>
  memberOf(params, "protocolVersion")?.kind === "string" &&
  memberOf(params, "capabilities")?.kind === "object" &&
  memberOf(params, "clientInfo")?.kind === "object";

const isNull = (
  message: Message,
  node: { readonly start: number; readonly kind: string },
): boolean =>
  node.kind === "word" && message.text.startsWith("null", node.start);

function forward(
  judged: Judged,
  decision: Decision,
  wrong: (code: number, words: string) => Verdict,
): Verdict {
  const { road, message, context, tool, found } = judged;
  const headers: (readonly [string, string])[] = [];
  if (found.version !== null)
    headers.push(["mcp-protocol-version", found.version]);
  if (found.era === "modern") {
    headers.push(["mcp-method", message.method]);
    if (tool !== null) {
      headers.push(["mcp-name", encodeMirrored(tool)]);
      const known = road.tools.get(tool);
      const params =
        context.headers === null
          ? declaredHeaders(message, known)
          : paramHeaders(context.headers, message, known);
      if (params === null)
        return wrong(
          CODE.headerMismatch,
          "an `Mcp-Param` header is not the argument in the body",
        );
      for (const each of params) headers.push(each);
    }
  }
  const text = trimRequest(message);
  if (tool !== null && road.policy.arguments.rates.length > 0)
    road.calls.add(road.facts.now());
  return {
    kind: "forward",
    message,
    era: found.era,
    bytes:
      text === message.text ? message.bytes : new TextEncoder().encode(text),
    exchange: exchangeOf(message, tool, found.era),
    headers,
    record: recordOf(judged, decision.effect, decision.reasons[0]),
  };
}

function exchangeOf(
  message: Message,
  tool: string | null,
  era: Era,
): Exchange | null {
  if (message.id === null) return null;
  const meta = memberOf(message.params, "_meta");
  const token = memberOf(meta, "progressToken");
  const cursor = stringOf(message.text, memberOf(message.params, "cursor"));
  const progress = token === null ? null : idOf(message.text, token);
  return {
    id: ownCopy(message.id),
    method: ownCopy(message.method),
    tool: tool === null ? null : ownCopy(tool),
    era,
    progressToken: progress === null ? null : ownCopy(progress),
    cursor: cursor === null ? null : ownCopy(cursor),
  };
}

function refuseCall(judged: Judged, decision: Decision): Verdict {
  const { road, message, tool, found } = judged;
  const [first] = decision.reasons;
  const reason =
    decision.effect === "ask"
      ? { ...first, message: `${first.message}, and nobody can be asked here` }
      : first;
  if (
    message.kind === "notification" &&
    isWithoutConsequence(message.method) &&
    reason.rule === "method"
  )
    return dropped(judged, reason.message);
  return {
    kind: "answer",
    answer: refusal({
      server: road.server,
      method: message.method,
      tool: message.kind === "request" ? tool : null,
      rule: reason.rule,
      message: reason.message,
      id: message.kind === "request" ? message.id : null,
      era: found.era,
    }),
    record: recordOf(judged, "deny", reason),
  };
}

const dropped = (judged: Judged, message: string): Verdict => ({
  kind: "drop",
  record: recordOf(judged, "deny", {
    rule: "method",
    message,
    origin: judged.road.policy.origin,
  }),
});

function recordOf(
  judged: Judged,
  effect: CallRecord["effect"],
  reason: Reason,
): CallRecord {
  const { road, message, context, tool } = judged;
  return {
    server: road.server,
    effect,
    http: context.http,
    method: shown(message.method),
    tool: tool === null ? null : shown(tool),
    arguments:
      tool === null ? [] : argumentNames(message, road.tools.get(tool)),
    reason: wordsOf(reason),
    rule: reason.rule,
    bytes: message.bytes.length,
  };
}

/** The reasons of a policy are made once, so that their words are too. */
const WORDS = new WeakMap<Reason, string>();

function wordsOf(reason: Reason): string {
  const known = WORDS.get(reason);
  if (known !== undefined) return known;
  const { file, start } = reason.origin.at;
  const words = `${reason.message} (${file}:${start.line}:${start.column})`;
  WORDS.set(reason, words);
  return words;
}

function refuseProblem(
  road: Road,
  problem: Problem,
  context: RequestContext,
  more: { readonly tool: string | null; readonly data: string | null } = {
    tool: null,
    data: null,
  },
): Verdict {
  return {
    kind: "answer",
    answer: malformed({ ...problem, data: more.data }),
    record: {
      server: road.server,
      effect: "deny",
      http: context.http,
      method: problem.method === null ? null : shown(problem.method),
      tool: more.tool === null ? null : shown(more.tool),
      arguments: [],
      reason: problem.words,
      rule: "malformed",
      bytes: problem.bytes,
    },
  };
}

/** The answer instead of a verdict whose record could not be written: what cannot be logged does not happen. */
export function unlogged(verdict: Verdict, road: Road): Answer {
  if (verdict.kind !== "forward")
    return verdict.kind === "answer"
      ? verdict.answer
      : { status: 202, body: "", line: null };
  const { message, exchange, era } = verdict;
  return refusal({
    server: road.server,
    method: message.method,
    tool: exchange?.tool ?? null,
    rule: "log",
    message: "the log cannot be written",
    id: message.id,
    era,
  });
}
