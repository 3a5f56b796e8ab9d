// What becomes of a message. The two functions of this folder that a door calls return these:
//
//   readMessage(bytes, limits)                  → Message | Problem       strict reading of what a client sent
//   enforceRequest(road, read, context)         → Verdict                 client → server
//   enforceResponse(road, message, context)     → BackVerdict             server → client, one JSON-RPC message
//
// A door writes `record` to the log first, and when that fails it uses `unlogged(...)` instead of the verdict. Then it
// does what the verdict says and nothing else.
import type { Exchange } from "./exchange.ts";
import type { Message } from "./message.ts";
import type { Era } from "./protocol.ts";
import type { CallRecord } from "./record.ts";

/** An answer that we give ourselves, in the form of each kind of door. */
export interface Answer {
  readonly status: number;
  /** JSON text. HTTP sends it as `application/json` without any header that starts an OAuth flow. */
  readonly body: string;
  /** What a stdio door writes as one line (without its end), or null for silence. */
  readonly line: string | null;
}

export type Verdict =
  | {
      readonly kind: "forward";
      readonly message: Message;
      readonly era: Era;
      /** What the server gets: the judged bytes, or those with the parts taken out that the policy refuses. */
      readonly bytes: Uint8Array;
      /** To be put into `Outstanding` under its id; null for a notification. */
      readonly exchange: Exchange | null;
      /** Protocol headers for an HTTP server, rebuilt from the body; lower-case names. */
      readonly headers: readonly (readonly [name: string, value: string])[];
      readonly record: CallRecord;
    }
  /**
   * A notification without consequence: HTTP answers 202 without a body, stdio nothing. Without a record it was no
   * matter of policy: some clients cancel every call that has ended.
   */
  | { readonly kind: "drop"; readonly record: CallRecord | null }
  | {
      readonly kind: "answer";
      readonly answer: Answer;
      readonly record: CallRecord;
    };

export type BackVerdict =
  | {
      readonly kind: "pass";
      /** The JSON text for the client. */
      readonly text: string;
      /** True when `text` is what came in, so that a door can pass on the bytes it has. */
      readonly same: boolean;
      /** The exchange that this answers; the door takes it out of every `Outstanding` that has it. */
      readonly settled: Exchange | null;
      readonly record: CallRecord | null;
    }
  | { readonly kind: "drop"; readonly record: CallRecord | null }
  /** The server asked the client for something: `text` goes back to the server, the client sees nothing. */
  | {
      readonly kind: "reply";
      readonly text: string;
      readonly record: CallRecord | null;
    }
  /** Not a message that may be passed on. In place of an answer the client gets an error; an event is dropped. */
  | {
      readonly kind: "broken";
      readonly reason: string;
      /** The request that it was to answer, when that is known. */
      readonly exchange: Exchange | null;
      readonly record: CallRecord;
    };
