// What HTTP says beside the body: media types and encodings in both directions, and the headers that mirror the body.
// The decision is taken on the body alone; a header can only contradict it, and then the request is refused.
import { decodeUtf8, type Message } from "./message.ts";
import { memberOf, type JsonNode } from "./json-scan.ts";
import type { KnownTool } from "./known-tools.ts";

/** The values of each header, by lower-case name, in the order they came. */
export type HeaderValues = ReadonlyMap<string, readonly string[]>;

/** From Node's `rawHeaders`: joined headers would hide that one was sent twice. */
export function headerValues(rawHeaders: readonly string[]): HeaderValues {
  const out = new Map<string, string[]>();
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = (rawHeaders[i] ?? "").toLowerCase();
    const there = out.get(name);
    if (there === undefined) out.set(name, [rawHeaders[i + 1] ?? ""]);
    else there.push(rawHeaders[i + 1] ?? "");
  }
  return out;
}

interface HeadProblem {
  readonly status: 400 | 406 | 415;
  readonly words: string;
}

/** As nearly every client says it. */
const USUAL_ACCEPT = "application/json, text/event-stream";

/** What is wrong with the head of a POST, or null. To be asked before the body is read. */
export function requestHeadProblem(headers: HeaderValues): HeadProblem | null {
  if (headers.has("content-encoding"))
    return { status: 415, words: "the body must not be encoded" };
  if (!isJson(headers.get("content-type")))
    return { status: 415, words: "the body must be application/json in UTF-8" };
  const given = headers.get("accept") ?? [];
  if (given.length === 1 && given[0] === USUAL_ACCEPT) return null;
  const accepted = given.join(",");
  return accepts(accepted, "application/json") &&
    accepts(accepted, "text/event-stream")
    ? null
    : {
        status: 406,
        words: "`Accept` must list application/json and text/event-stream",
      };
}

/** Exactly one `application/json`, alone or with the charset utf-8. */
const isJson = (values: readonly string[] | undefined): boolean =>
  values?.length === 1 &&
  (values[0] === "application/json" || JSON_TYPE.test(values[0] ?? ""));

const JSON_TYPE =
  /^[ \t]*application\/json[ \t]*(?:;[ \t]*charset[ \t]*=[ \t]*(?:utf-8|"utf-8")[ \t]*)?;?[ \t]*$/i;

function accepts(header: string, type: string): boolean {
  const family = `${type.slice(0, type.indexOf("/"))}/*`;
  return header.split(",").some((part) => {
    const range = part.split(";")[0]?.trim().toLowerCase();
    return range === type || range === family || range === "*/*";
  });
}

/** How a server's answer has to be read; null for what is not passed on. */
export function answerForm(headers: HeaderValues): "json" | "events" | null {
  const encoding = headers.get("content-encoding") ?? [];
  if (encoding.some((value) => value.trim().toLowerCase() !== "identity"))
    return null;
  const types = headers.get("content-type") ?? [];
  if (isJson(types)) return "json";
  return types.length === 1 &&
    /^[ \t]*text\/event-stream[ \t]*(?:;[ \t]*charset[ \t]*=[ \t]*(?:utf-8|"utf-8")[ \t]*)?;?[ \t]*$/i.test(
      types[0] ?? "",
    )
    ? "events"
    : null;
}

const SENTINEL = "=?base64?";

/** The text that a mirrored header stands for, or null when it is not well-formed. */
export function decodeMirrored(value: string): string | null {
  // Most values are like this, and then nothing else has to be looked at.
  if (/^[!-<>-~]+$/.test(value)) return value;
  const text = value.replace(/^[ \t]+|[ \t]+$/g, "");
  if (!/^[\t -~]*$/.test(text)) return null;
  if (!text.startsWith(SENTINEL) || !text.endsWith("?=")) return text;
  const inner = text.slice(SENTINEL.length, -2);
  if (inner.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(inner))
    return null;
  return decodeUtf8(Uint8Array.from(atob(inner), (c) => c.charCodeAt(0)));
}

/** A text as the value of a mirrored header. */
export function encodeMirrored(text: string): string {
  if (/^(?:[!-~](?:[ -~]*[!-~])?)?$/.test(text) && !text.startsWith(SENTINEL))
    return text;
  const bytes = new TextEncoder().encode(text);
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return `${SENTINEL}${btoa(binary)}?=`;
}

/**
 * The single value of a mirrored header: undefined when it is absent, null when it came twice or cannot be read.
 */
export function mirrored(
  headers: HeaderValues,
  name: string,
): string | null | undefined {
  const values = headers.get(name);
  if (values === undefined) return undefined;
  return values.length === 1 ? decodeMirrored(values[0] ?? "") : null;
}

const PARAM = "mcp-param-";

/**
 * Compares the `Mcp-Param-…` headers of a call with its arguments, and gives those for the server, made anew from the
 * arguments; null when one contradicts. Of a tool whose declaration was seen only declared headers are passed on.
 */
export function paramHeaders(
  headers: HeaderValues,
  message: Message,
  tool: KnownTool | null,
): readonly (readonly [string, string])[] | null {
  const out: (readonly [string, string])[] = [];
  let values: JsonArguments | null = null;
  for (const name of headers.keys()) {
    if (!name.startsWith(PARAM)) continue;
    const said = mirrored(headers, name);
    if (typeof said !== "string") return null;
    values ??= argumentsOf(message);
    const declared = tool?.headers.find(
      (h) => h.name === name.slice(PARAM.length),
    );
    if (declared !== undefined) {
      const value = valueAt(values, declared.path);
      if (value === null || !agrees(said, value)) return null;
      out.push([name, encodeMirrored(String(value))]);
    } else if (!someAgrees(said, values)) return null;
    else if (tool === null) out.push([name, encodeMirrored(said)]);
  }
  return out;
}

/** The headers that a tool's declaration asks for, made from the arguments of a call that came without any headers. */
export function declaredHeaders(
  message: Message,
  tool: KnownTool | null,
): readonly (readonly [string, string])[] {
  if (tool === null || tool.headers.length === 0) return [];
  const values = argumentsOf(message);
  return tool.headers.flatMap(({ name, path }) => {
    const value = valueAt(values, path);
    return value === null
      ? []
      : [[PARAM + name, encodeMirrored(String(value))] as const];
  });
}

type Scalar = string | number | boolean;
type JsonArguments = Readonly<Record<string, unknown>>;

function argumentsOf(message: Message): JsonArguments {
  const node: JsonNode | null = memberOf(message.params, "arguments");
  return node?.kind === "object"
    ? (JSON.parse(message.text.slice(node.start, node.end)) as JsonArguments)
    : {};
}

const isScalar = (value: unknown): value is Scalar =>
  typeof value === "string" ||
  typeof value === "number" ||
  typeof value === "boolean";

function valueAt(from: JsonArguments, path: readonly string[]): Scalar | null {
  let here: unknown = from;
  for (const name of path) {
    if (typeof here !== "object" || here === null || !Object.hasOwn(here, name))
      return null;
    here = (here as JsonArguments)[name];
  }
  return isScalar(here) ? here : null;
}

const agrees = (said: string, value: Scalar): boolean =>
  said === String(value) ||
  (typeof value === "number" &&
    /^-?\d+(?:\.\d+)?$/.test(said) &&
    Number(said) === value);

const someAgrees = (said: string, value: unknown): boolean =>
  isScalar(value)
    ? agrees(said, value)
    : typeof value === "object" &&
      value !== null &&
      Object.values(value).some((inner) => someAgrees(said, inner));
