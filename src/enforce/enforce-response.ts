// The one road for a message of a server, whether it came as JSON or as an event: only answers that somebody waits for
// are passed on, once; lists are filtered by the same decision as calls; requests of the server are answered here and
// never shown; secrets are taken out of every string. No I/O and no clock.
import { replaceNode, applyEdits } from "./edits.ts";
import type { Exchange, Outstanding } from "./exchange.ts";
import { filterTools } from "./filter-tools.ts";
import { memberOf, scanJson, stringOf, type JsonNode } from "./json-scan.ts";
import { ENVELOPE } from "./known-names.ts";
import { idOf } from "./message.ts";
import { judgeNotification } from "./server-notification.ts";
import { CODE, type Era } from "./protocol.ts";
import type { CallRecord } from "./record.ts";
import { errorText, shown, toolError } from "./refuse.ts";
import type { Road } from "./road.ts";
import { markResult } from "./mark-result.ts";
import { trimResult } from "./trim-result.ts";
import type { BackVerdict } from "./verdict.ts";

export interface ResponseContext {
  /** Where the answer arrived: the requests that may be answered there. Nothing is taken out of it here. */
  readonly outstanding: Outstanding;
  /**
   * "body": the only message of an HTTP answer, so that an error without an id belongs to the one request. "stream":
   * one of many, as an event or a line.
   */
  readonly place: "body" | "stream";
  /** Of the request that opened the way; in the newer era a server asks nothing. */
  readonly era: Era;
}

/** Levels of objects and arrays in an answer: more than any client builds a program of, and no call stack's end. */
const MAX_DEPTH_BACK = 512;

/** Judges one message of a server. The text is what UTF-8 strictly decoded to (`decodeUtf8`). Never throws. */
export function enforceResponse(
  road: Road,
  text: string,
  context: ResponseContext,
): BackVerdict {
  const broken = (reason: string): BackVerdict => ({
    kind: "broken",
    reason,
    exchange: null,
    record: recordOf(road, text, { rule: "malformed", reason }),
  });
  const scan = scanJson(text, {
    depth: Infinity,
    members: 100_000,
    keep: 2,
    nodes: 200_000,
  });
  if ("problem" in scan) return broken("the server sent no valid JSON");
  const message = partsOf(text, scan.root);
  if (typeof message === "string") return broken(message);
  if (message.method !== null)
    return message.id === null
      ? judgeNotification(road, text, message, context)
      : answerRequest(road, text, message, context.era);
  return judgeAnswer(road, text, message, scan.root.height, context);
}

/** The parts of a server's message. */
export interface ServerMessage {
  /** The id as JSON text; null when there is none, or one that no client has sent. */
  readonly id: string | null;
  readonly idNode: JsonNode | null;
  readonly method: string | null;
  readonly params: JsonNode | null;
  readonly result: JsonNode | null;
  readonly error: JsonNode | null;
}

function partsOf(text: string, root: JsonNode): ServerMessage | string {
  if (root.kind === "array") return "the server sent several messages as one";
  if (root.members === null) return "the server sent no message";
  for (const { name } of root.members)
    if (!ENVELOPE.exact.has(name))
      return "the server's message has a member that JSON-RPC does not know";
  if (stringOf(text, memberOf(root, "jsonrpc")) !== "2.0")
    return "the server's message is not JSON-RPC 2.0";
  const idNode = memberOf(root, "id");
  const methodNode = memberOf(root, "method");
  const method = stringOf(text, methodNode);
  const result = memberOf(root, "result");
  const error = memberOf(root, "error");
  if (
    methodNode === null
      ? (result === null) === (error === null)
      : method === null || result !== null || error !== null
  )
    return "the server's message is neither a request nor an answer";
  return {
    id: idNode === null ? null : idOf(text, idNode),
    idNode,
    method,
    params: memberOf(root, "params"),
    result,
    error,
  };
}

/** A request of the server: only in the older era it may send one and waits for the answer. */
function answerRequest(
  road: Road,
  text: string,
  message: ServerMessage,
  era: Era,
): BackVerdict {
  const method = message.method ?? "";
  const record = recordOf(road, text, {
    rule: "method",
    reason: "a request of the server is answered here and not passed on",
    method,
  });
  if (message.id === null || era === "modern") return { kind: "drop", record };
  const result =
    method === "ping"
      ? "{}"
      : method === "elicitation/create"
        ? '{"action":"decline"}'
        : null;
  return {
    kind: "reply",
    text:
      result === null
        ? errorText(
            message.id,
            CODE.methodNotFound,
            "this client does not offer that",
          )
        : `{"jsonrpc":"2.0","id":${message.id},"result":${result}}`,
    record: method === "ping" ? null : record,
  };
}

function judgeAnswer(
  road: Road,
  text: string,
  message: ServerMessage,
  height: number,
  context: ResponseContext,
): BackVerdict {
  const unrequested = (reason: string): BackVerdict => {
    const record = recordOf(road, text, { rule: "unrequested", reason });
    return context.place === "body"
      ? { kind: "broken", reason, exchange: null, record }
      : { kind: "drop", record };
  };
  const exchange = exchangeOf(message, context);
  if (exchange === null)
    return unrequested("the server's answer belongs to no open request");
  // A list may have one deep definition, which is withheld alone.
  if (height > MAX_DEPTH_BACK && exchange.method !== "tools/list") {
    const reason = "the server's answer is nested too deep";
    return {
      kind: "broken",
      reason,
      exchange,
      record: recordOf(road, text, { rule: "malformed", reason, exchange }),
    };
  }
  const pass = (changed: string, record: CallRecord | null): BackVerdict => {
    // Asked of what came: what is put into it here has no secret in it.
    const clean = road.redactor.mayHold(text)
      ? road.redactor.json(changed)
      : changed;
    return {
      kind: "pass",
      text: clean,
      same: clean === text,
      settled: exchange,
      record,
    };
  };
  if (message.error !== null)
    return judgeError(road, text, message, exchange, pass);
  return judgeResult(road, text, message.result, exchange, pass);
}

type Pass = (text: string, record: CallRecord | null) => BackVerdict;

/** The request that an answer belongs to: by type and value of the id. */
function exchangeOf(
  message: ServerMessage,
  { outstanding, place }: ResponseContext,
): Exchange | null {
  if (message.id !== null) return outstanding.get(message.id) ?? null;
  const [only] = outstanding.values();
  const noId = message.idNode === null || message.idNode.kind === "word";
  return noId &&
    message.error !== null &&
    place === "body" &&
    outstanding.size === 1
    ? (only ?? null)
    : null;
}

function judgeError(
  road: Road,
  text: string,
  message: ServerMessage,
  exchange: Exchange,
  pass: Pass,
): BackVerdict {
  const { error } = message;
  const code = memberOf(error, "code");
  const words = memberOf(error, "message");
  if (error === null || code?.kind !== "number" || words?.kind !== "string")
    return {
      kind: "broken",
      reason: "the server sent an error that is none",
      exchange,
      record: recordOf(road, text, {
        rule: "malformed",
        reason: "the server sent an error that is none",
        exchange,
      }),
    };
  // An error of this code asks the client to open a page of the server's choice.
  if (text.slice(code.start, code.end) === String(CODE.urlElicitation))
    return questionWithheld(road, text, exchange, pass);
  return pass(
    message.id === null
      ? `{"jsonrpc":"2.0","id":${exchange.id},"error":${text.slice(error.start, error.end)}}`
      : text,
    null,
  );
}

function judgeResult(
  road: Road,
  text: string,
  result: JsonNode | null,
  exchange: Exchange,
  pass: Pass,
): BackVerdict {
  const broken = (reason: string): BackVerdict => ({
    kind: "broken",
    reason,
    exchange,
    record: recordOf(road, text, { rule: "malformed", reason, exchange }),
  });
  if (result?.members == null)
    return broken("the server's result is no object");
  const typeNode = memberOf(result, "resultType");
  const type = typeNode === null ? "complete" : stringOf(text, typeNode);
  if (type !== "complete")
    return exchange.method === "tools/call" &&
      (type === "input_required" || type === "task")
      ? questionWithheld(road, text, exchange, pass)
      : broken("the server's result is of a kind that is not open");
  const source = () => text.slice(result.start, result.end);
  const passResult = (changed: string, record: CallRecord | null) =>
    pass(applyEdits(text, [replaceNode(result, changed)]), record);
  switch (exchange.method) {
    case "tools/list": {
      const filtered = filterTools(road, exchange, source());
      if ("broken" in filtered) return broken(filtered.broken);
      return passResult(
        filtered.result,
        filtered.withheld === null
          ? null
          : recordOf(road, text, {
              rule: "definition",
              reason: filtered.withheld,
              exchange,
            }),
      );
    }
    case "initialize":
    case "server/discover": {
      const trimmed = trimResult(exchange, source(), road.pins);
      if (trimmed === null)
        return broken("the server's first answer cannot be read");
      const reason = "the server's instructions are not the pinned ones";
      return passResult(
        trimmed.result,
        trimmed.changed
          ? recordOf(road, text, { rule: "pin", reason, exchange })
          : null,
      );
    }
    case "tools/call":
      // A list in its place would reach the client unfiltered.
      return memberOf(result, "content")?.kind === "array" ||
        memberOf(result, "structuredContent") !== null
        ? pass(markResult(road, text, result), null)
        : broken("the server's result is not that of a call");
    default:
      return pass(text, null);
  }
}

/** The server wants something from the person instead of giving a result: the model learns that it cannot have it. */
function questionWithheld(
  road: Road,
  text: string,
  exchange: Exchange,
  pass: Pass,
): BackVerdict {
  const words = `\`${road.server}\` asked the user a question before going on, and questions of servers are not passed on here. Call the tool with everything it needs, or do without it.`;
  return pass(
    exchange.method === "tools/call"
      ? toolError(exchange.id, exchange.era, words)
      : errorText(exchange.id, CODE.internal, words),
    recordOf(road, text, {
      rule: "method",
      reason: "the server asked a question instead of giving a result",
      exchange,
    }),
  );
}

/** What the log says of a server's message that is not passed on as it came. */
export function recordOf(
  road: Road,
  text: string,
  more: {
    readonly rule: string;
    readonly reason: string;
    readonly method?: string;
    readonly exchange?: Exchange;
  },
): CallRecord {
  return {
    server: road.server,
    effect: "deny",
    http: null,
    method: shown(more.method ?? more.exchange?.method ?? "") || null,
    tool: more.exchange?.tool == null ? null : shown(more.exchange.tool),
    arguments: [],
    reason: more.reason,
    rule: more.rule,
    bytes: text.length,
  };
}
