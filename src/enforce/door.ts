// What every door is given beside its road: the limits of its server, and where it writes what was decided.
import type { ServerLimits } from "../model/model.ts";
import type { CallRecord } from "./record.ts";

/** Milliseconds and bytes: the keys of a server's `limits`. */
export interface CallLimits {
  readonly call: number;
  readonly request: number;
  readonly response: number;
}

export const limitsOf = (limits: ServerLimits): CallLimits => ({
  call: limits.call.value,
  request: limits.request.value,
  response: limits.response.value,
});

/**
 * Writes one line. False when it could not be written; then what it says must not happen. With `later` the line may be
 * written with others, before the next turn of the event loop: then null, and `later` is told whether it was.
 */
export type RecordLog = (
  record: CallRecord,
  more: RecordMore,
  later?: (written: boolean) => void,
) => boolean | null;

export interface RecordMore {
  readonly agent: string | null;
  readonly milliseconds: number;
}
