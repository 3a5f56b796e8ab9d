// The shape of a catalogue entry.
import type { Severity } from "../diagnostic.ts";
import { visible } from "../visible.ts";

export interface Entry<P> {
  readonly severity: Severity;
  readonly message: (params: P) => string;
  /** One paragraph: what it means and what to do. Printed by `fenzi explain CODE`. */
  readonly explanation: string;
}

export const define = <P>(
  severity: Severity,
  message: (params: P) => string,
  explanation: string,
): Entry<P> => ({ severity, message, explanation });

/** Puts words into backticks, joined by commas. Control characters are made visible. */
export const quote = (...words: readonly string[]): string =>
  words.map((word) => `\`${visible(word)}\``).join(", ");

/** "; did you mean `x`?" or nothing. */
export const nearestHint = (nearest: string | null): string =>
  nearest === null ? "" : `; did you mean ${quote(nearest)}?`;

/** The same for the name of a server, or where the names can be seen. */
export const serverHint = (nearest: string | null): string =>
  nearestHint(nearest) || "; `fenzi mcp list` shows those that there are";
