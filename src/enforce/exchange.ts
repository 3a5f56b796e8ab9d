// A request that was let through and has no answer yet. Answers, progress and cancellations are judged against these.
import type { Era } from "./protocol.ts";

export interface Exchange {
  /** The id as JSON text: `1` and `"1"` differ, so type and value are compared in one. Key of `Outstanding`. */
  readonly id: string;
  readonly method: string;
  readonly tool: string | null;
  readonly era: Era;
  /** JSON text of `_meta.progressToken`, or null. */
  readonly progressToken: string | null;
  /** `params.cursor` of a `tools/list`, or null. */
  readonly cursor: string | null;
}

/**
 * The requests that wait for an answer on one stream or of one client: HTTP keeps one for each POST (an answer may only
 * arrive there) and one for each session (for cancellations, and for a stream that is resumed); stdio has a single one.
 */
export type Outstanding = Map<string, Exchange>;

/** All that has to be known of them to judge a request. */
export type Waiting = Pick<Outstanding, "has">;
