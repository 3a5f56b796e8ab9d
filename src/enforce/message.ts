// One message of a client, read strictly: what it is, which method, and where its parts lie in the text. Everything that
// two programs could read differently is refused here, before any decision.
//
// INVARIANT: what is forwarded is what was judged. Since every ambiguity is refused (duplicate and disguised names,
// encodings, overflowing numbers, trailing text), the text has one reading, and it is forwarded as it came, so that no
// number and no order changes. Only what the policy takes out, and known names spelt with escapes, are replaced.
import { scanJson, stringOf, type JsonNode } from "./json-scan.ts";
import type { ScanProblem } from "./json-tokens.ts";
import { ENVELOPE, isDisguised, PARAMS, PARAMS_META } from "./known-names.ts";
import { CODE } from "./protocol.ts";

export interface Message {
  readonly kind: "request" | "notification" | "response";
  /** The id as JSON text (`1`, `"1"`), so that type and value are compared in one; null for a notification. */
  readonly id: string | null;
  /** Empty for a response. */
  readonly method: string;
  /** An object, or null when there is none. */
  readonly params: JsonNode | null;
  readonly text: string;
  readonly bytes: Uint8Array;
  readonly root: JsonNode;
  /** True when some string holds half a surrogate pair: no tool has such a name, and nothing else may pass. */
  readonly loneSurrogate: boolean;
}

/** Why something is not a message, or not one that can be judged. */
export interface Problem {
  readonly kind: "problem";
  /** HTTP status. */
  readonly status: 400 | 413;
  /** JSON-RPC code. */
  readonly code: number;
  /** Words without anything of the message in them. */
  readonly words: string;
  /** The id, as JSON text, when the rest of the message could be read. */
  readonly id: string | null;
  readonly method: string | null;
  readonly bytes: number;
}

interface ReadLimits {
  /** Bytes of one message: the key `limits.request`. */
  readonly bytes: number;
}

export const MAX_DEPTH = 64;
export const MAX_MEMBERS = 10_000;
const MAX_ID_LENGTH = 256;
/** Levels around the arguments of a call: the message and `params`. */
export const AROUND_ARGUMENTS = 2;
/** Message, `params` and what lies directly in it. */
const KEPT = 3;

const WORDS: Readonly<Record<ScanProblem, string>> = {
  syntax: "the text is not one JSON value",
  duplicate: "a member name stands twice in one object",
  surrogate: "a member name is not valid Unicode",
  number: "a number is too large for its reading to be certain",
  depth: `objects and arrays are nested deeper than ${MAX_DEPTH}`,
  members: `an object has more than ${MAX_MEMBERS} members`,
};

/** Reads the bytes of one message. Never throws. */
export function readMessage(
  bytes: Uint8Array,
  limits: ReadLimits,
): Message | Problem {
  const problem = (
    words: string,
    code: number = CODE.invalid,
    status: 400 | 413 = 400,
  ): Problem => ({
    kind: "problem",
    status,
    code,
    words,
    id: null,
    method: null,
    bytes: bytes.length,
  });

  if (bytes.length > limits.bytes)
    return problem("the message is too large", CODE.invalid, 413);
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf)
    return problem("the text starts with a byte order mark", CODE.parse);
  const text = decodeUtf8(bytes);
  if (text === null) return problem("the text is not UTF-8", CODE.parse);
  const scan = scanJson(text, {
    depth: MAX_DEPTH,
    members: MAX_MEMBERS,
    keep: KEPT,
    nodes: 4 * MAX_MEMBERS,
  });
  if ("problem" in scan)
    return problem(
      WORDS[scan.problem],
      scan.problem === "syntax" ? CODE.parse : CODE.invalid,
      scan.problem === "members" ? 413 : 400,
    );
  const envelope = readEnvelope(text, scan.root);
  if (typeof envelope === "string") return problem(envelope);
  return {
    kind: envelope.kind,
    id: envelope.id,
    method: envelope.method,
    params: envelope.params,
    text,
    bytes,
    root: scan.root,
    loneSurrogate: scan.loneSurrogate,
  };
}

/** Without `stream` it keeps nothing between calls; making one for each message costs more than reading the message. */
const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The text, or null when the bytes are not UTF-8. A byte order mark stays in it. */
export function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return UTF8.decode(bytes);
  } catch {
    return null;
  }
}

interface Envelope {
  readonly kind: Message["kind"];
  readonly id: string | null;
  readonly method: string;
  readonly params: JsonNode | null;
}

/** What kind of message an object is, or what is wrong with it. */
function readEnvelope(text: string, root: JsonNode): Envelope | string {
  if (root.kind === "array") return "batches are not accepted";
  if (root.members === null) return "the message is not an object";
  let version: JsonNode | null = null;
  let idNode: JsonNode | null = null;
  let methodNode: JsonNode | null = null;
  let params: JsonNode | null = null;
  let result: JsonNode | null = null;
  let error: JsonNode | null = null;
  for (const { name, value } of root.members) {
    if (name === "jsonrpc") version = value;
    else if (name === "id") idNode = value;
    else if (name === "method") methodNode = value;
    else if (name === "params") params = value;
    else if (name === "result") result = value;
    else if (name === "error") error = value;
    else
      return isDisguised(ENVELOPE, name)
        ? "a member name looks like one of JSON-RPC and is not"
        : "the message has a member that JSON-RPC does not know";
  }
  if (stringOf(text, version) !== "2.0") return '`jsonrpc` is not "2.0"';
  const id = idNode === null ? null : idOf(text, idNode);
  if (idNode !== null && id === null)
    return "the id is neither a short string nor a whole number";
  if (methodNode === null) {
    if (
      params !== null ||
      id === null ||
      (result === null) === (error === null)
    )
      return "the message is neither a request nor an answer";
    return { kind: "response", id, method: "", params: null };
  }
  if (result !== null || error !== null)
    return "the message is a request and an answer at once";
  const method = stringOf(text, methodNode);
  if (method === null) return "`method` is not a string";
  const members = params?.members ?? [];
  if (params !== null && params.kind !== "object")
    return "`params` is not an object";
  for (const { name, value } of members) {
    if (isDisguised(PARAMS, name))
      return "a member name of `params` looks like a known one and is not";
    if (name !== "_meta") continue;
    if (value.kind !== "object") return "`_meta` is not an object";
    if (value.members?.some((m) => isDisguised(PARAMS_META, m.name)) === true)
      return "a member name of `_meta` looks like a known one and is not";
  }
  return {
    kind: id === null ? "notification" : "request",
    id,
    method,
    params,
  };
}

/** An id as JSON text, or null when it is none: a short string, or an integer that every parser reads alike. */
export function idOf(text: string, node: JsonNode): string | null {
  if (node.kind === "string") {
    // Without escapes it is spelt as it would be printed.
    if (!node.escaped && node.end - node.start <= MAX_ID_LENGTH + 2) {
      const raw = text.slice(node.start, node.end);
      return raw.isWellFormed() ? raw : null;
    }
    const value = stringOf(text, node) ?? "";
    return value.length <= MAX_ID_LENGTH && value.isWellFormed()
      ? JSON.stringify(value)
      : null;
  }
  if (node.kind !== "number") return null;
  const raw = text.slice(node.start, node.end);
  return /^(?:0|-?[1-9]\d{0,15})$/.test(raw) &&
    Number.isSafeInteger(Number(raw))
    ? raw
    : null;
}
