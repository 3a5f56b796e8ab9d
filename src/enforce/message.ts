// One message of a client, read strictly: what it is, which method, and where its parts lie in the text. Everything that
// two programs could read differently is refused here, before any decision; the rules are `facts` of JSON-RPC and MCP.
//
// INVARIANT: what is forwarded is what was judged. Since every ambiguity is refused (duplicate and disguised names,
// encodings, overflowing numbers, trailing text), the text has one reading, and it is forwarded as it came, so that no
// number or order changes. Only what the policy takes out, and known names spelt with escapes, are replaced.
import { disguisedName, type KnownNames } from "./known-names.ts";
import {
  memberOf,
  scanJson,
  stringOf,
  type JsonNode,
  type ScanProblem,
} from "./json-scan.ts";

export interface Message {
  readonly kind: "request" | "notification" | "response";
  /** The id as JSON text (`1`, `"1"`), canonical; null for a notification. */
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

/** Why something is not a message. */
export interface Problem {
  readonly kind: "problem";
  /** HTTP status. */
  readonly status: 400 | 413;
  /** JSON-RPC code. */
  readonly code: -32700 | -32600 | -32602;
  /** Words without anything of the message in them. */
  readonly words: string;
  /** The id when it could be read, as JSON text. */
  readonly id: string | null;
  readonly bytes: number;
}

export interface ReadLimits {
  /** Bytes of one message: the key `limits.request`. */
  readonly bytes: number;
}

export const MAX_DEPTH = 64;
export const MAX_MEMBERS = 10_000;
export const MAX_ID_LENGTH = 256;
