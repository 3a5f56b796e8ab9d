// Which era a message belongs to, and whether the headers that mirror it agree. Which rules hold must not be the
// sender's choice: the version in the body and the one in the header have to be the same.
import { mirrored, type HeaderValues } from "./http-head.ts";
import { memberOf, stringOf } from "./json-scan.ts";
import type { Message } from "./message.ts";
import {
  CODE,
  LEGACY_VERSIONS,
  META,
  MODERN_VERSIONS,
  type Era,
} from "./protocol.ts";

interface EraProblem {
  readonly code: number;
  readonly words: string;
  /** The `data` of the error, as JSON text, or null. */
  readonly data: string | null;
}

export interface EraFound {
  readonly era: Era;
  /** The version for the header of the server, or null when the client sent none. */
  readonly version: string | null;
}

/** `headers` is null where the message did not come over HTTP. */
export function eraOf(
  message: Message,
  headers: HeaderValues | null,
): EraFound | EraProblem {
  const node = memberOf(memberOf(message.params, "_meta"), META.version);
  const inBody = node === null ? null : stringOf(message.text, node);
  if (node !== null && inBody === null)
    return problem(CODE.params, "the protocol version is not a string");
  const said =
    headers === null ? undefined : mirrored(headers, "mcp-protocol-version");
  if (said === null) return mismatch("`MCP-Protocol-Version` cannot be read");
  if (inBody !== null) {
    if (headers !== null && said === undefined && message.kind === "request")
      return mismatch("`MCP-Protocol-Version` is missing");
    if (said !== undefined && said !== inBody)
      return mismatch("`MCP-Protocol-Version` is not the version of the body");
    return MODERN_VERSIONS.includes(inBody)
      ? { era: "modern", version: inBody }
      : unknownVersion(inBody, MODERN_VERSIONS);
  }
  if (said === undefined) return { era: "legacy", version: null };
  if (LEGACY_VERSIONS.includes(said)) return { era: "legacy", version: said };
  if (!MODERN_VERSIONS.includes(said))
    return unknownVersion(said, [...MODERN_VERSIONS, ...LEGACY_VERSIONS]);
  return message.kind === "request"
    ? problem(CODE.params, "`_meta` lacks the protocol version")
    : { era: "modern", version: said };
}

/** Whether `Mcp-Method` and `Mcp-Name` agree with the body; null when they do. */
export function mirrorProblem(
  message: Message,
  era: Era,
  headers: HeaderValues,
  toolName: string | null,
): EraProblem | null {
  const needed = era === "modern" && message.kind === "request";
  const method = mirrored(headers, "mcp-method");
  if (method === undefined ? needed : method !== message.method)
    return mismatch(
      method === undefined
        ? "`Mcp-Method` is missing"
        : "`Mcp-Method` is not the method of the body",
    );
  const name = mirrored(headers, "mcp-name");
  if (
    name === undefined ? needed && toolName !== null : name !== nameIn(message)
  )
    return mismatch(
      name === undefined
        ? "`Mcp-Name` is missing"
        : "`Mcp-Name` is not the name in the body",
    );
  return null;
}

/** What `Mcp-Name` mirrors, whatever the method: a name, or the URI of a resource. */
const nameIn = (message: Message): string | null =>
  stringOf(message.text, memberOf(message.params, "name")) ??
  stringOf(message.text, memberOf(message.params, "uri")) ??
  stringOf(message.text, memberOf(message.params, "taskId"));

const problem = (code: number, words: string): EraProblem => ({
  code,
  words,
  data: null,
});

const mismatch = (words: string): EraProblem =>
  problem(CODE.headerMismatch, words);

/** `supported`: what the client may say instead, in the same place. */
const unknownVersion = (
  requested: string,
  supported: readonly string[],
): EraProblem => ({
  code: CODE.version,
  words: "this version of the protocol is not known here",
  data: JSON.stringify({ supported, requested: requested.slice(0, 64) }),
});
