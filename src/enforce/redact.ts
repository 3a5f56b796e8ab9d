// Takes secrets out of what flows back: the values that are put on requests (in the encodings a server may echo them
// in) and everything that has the form of a token. Works on the strings of JSON, decoded, names included; a message
// without secrets stays the text it was.
import type { Expression } from "../match/expression.ts";
import { findForms, mayHoldForm } from "../match/find-forms.ts";
import type { Range } from "../match/secret-form.ts";
import { applyEdits, type Edit } from "./edits.ts";
import { stringsOf, valueOf } from "./json-strings.ts";
import { secretMatcher } from "./secret-spellings.ts";

const REDACTED = "[redacted]";

export interface Redactor {
  /** False when no string of this JSON source holds a secret, and so none of what is left when parts are taken out. */
  mayHold(json: string): boolean;
  /** JSON source in, JSON source out. The text must be valid JSON. */
  json(text: string): string;
  /** Any other text. */
  text(text: string): string;
  /** Texts that are shown one after the other, also with a secret that is split over two of them; null: nothing. */
  across(texts: readonly string[]): readonly string[] | null;
}

/** `expressions`: what people want taken out beside the forms that are known. */
export function createRedactor(
  secrets: readonly string[],
  expressions: readonly Expression[] = [],
): Redactor {
  const known = secretMatcher(secrets);
  const rangesIn = (text: string, forms: boolean): readonly Range[] => {
    const found = [...known.find(text)];
    if (forms) {
      for (const range of findForms(text)) found.push(range);
      for (const expression of expressions)
        for (const range of expression.find(text)) found.push(range);
    }
    return found.length < 2 ? found : joined(found);
  };
  const redactText = (text: string, forms: boolean): string =>
    cut(text, rangesIn(text, forms), 0, text.length);

  // What an expression means is not seen in the source of a string.
  const mayHoldAny = (json: string) =>
    expressions.length > 0 || mayHold(json, known.mayHold);
  return {
    mayHold: mayHoldAny,
    text: (text) => redactText(text, true),
    json(text) {
      if (!mayHoldAny(text)) return text;
      const edits: Edit[] = [];
      let names = 0;
      for (const token of stringsOf(text)) {
        const value = valueOf(text, token);
        const clean = redactText(value, !isBinary(token.name, value));
        if (clean === value) continue;
        // Two names must not become one.
        const counted =
          token.isName && ++names > 1 ? `${clean} (${names})` : clean;
        edits.push({
          start: token.start,
          end: token.end,
          text: JSON.stringify(counted),
        });
      }
      return applyEdits(text, edits);
    },
    across(texts) {
      const whole = texts.join("");
      const ranges = rangesIn(whole, true);
      let at = 0;
      const out = texts.map((text) => {
        const from = at;
        at += text.length;
        return cut(whole, ranges, from, at);
      });
      return ranges.length === 0 ? null : out;
    },
  };
}

/** An ordinary character spelt as an escape: then the source does not show what the strings hold. */
const ODD_ESCAPE = /\\u00[2-7]/i;

const mayHold = (
  json: string,
  holdsKnown: (json: string) => boolean,
): boolean =>
  holdsKnown(json) ||
  mayHoldForm(json) ||
  (json.includes("\\u00") && ODD_ESCAPE.test(json));

/** Pictures and sounds in base64 hold anything by chance; only the exact values are looked for in them. */
const isBinary = (name: string | null, value: string): boolean =>
  (name === "data" || name === "blob") && /^[A-Za-z0-9+/_=-]*$/.test(value);

/** The part of a text between two offsets, with every range in it replaced; a range that began before leaves nothing. */
function cut(
  text: string,
  ranges: readonly Range[],
  from: number,
  to: number,
): string {
  let out = "";
  let at = from;
  for (const range of ranges) {
    if (range.end <= from || range.start >= to) continue;
    if (range.start >= at) out += text.slice(at, range.start) + REDACTED;
    at = Math.max(at, Math.min(range.end, to));
  }
  return out + text.slice(at, to);
}

/** In order; ranges that overlap become one. */
function joined(ranges: readonly Range[]): readonly Range[] {
  const out: Range[] = [];
  for (const range of [...ranges].sort((a, b) => a.start - b.start)) {
    const last = out.at(-1);
    if (last === undefined || range.start > last.end) out.push(range);
    else if (range.end > last.end)
      out[out.length - 1] = { start: last.start, end: range.end };
  }
  return out;
}
