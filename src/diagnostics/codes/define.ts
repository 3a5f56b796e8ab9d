// The shape of a catalogue entry.
import { blankSecrets } from "../../match/blank-secrets.ts";
import type { Severity } from "../diagnostic.ts";

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

/** A user's text as it may be shown: no secrets, no control, bidirectional or invisible characters, at most 120 characters. */
export function visible(text: string): string {
  const shown = visibleWhole(blankSecrets(text));
  return shown.length > 120 ? `${shown.slice(0, 119)}…` : shown;
}

/** All of a text, secrets too: for a person who has to see what will run. */
export const visibleWhole = (text: string): string =>
  text.replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu,
    (c) => `\\u{${(c.codePointAt(0) ?? 0).toString(16)}}`,
  );

/** "; did you mean `x`?" or nothing. */
export const nearestHint = (nearest: string | null): string =>
  nearest === null ? "" : `; did you mean ${quote(nearest)}?`;
