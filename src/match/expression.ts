// Regular expressions that people write: RE2's, which take linear time whatever the text. Pure.
import { RE2JS } from "re2js";
import type { Range } from "./secret-form.ts";

export interface Expression {
  readonly text: string;
  /** Every place where it matches, in order. */
  find(text: string): readonly Range[];
  test(text: string): boolean;
}

/** A longer one may not be written. */
const LONGEST_EXPRESSION = 1_000;

export function parseExpression(
  text: string,
): { readonly value: Expression } | { readonly problem: string } {
  if (text.length > LONGEST_EXPRESSION)
    return { problem: `it has more than ${LONGEST_EXPRESSION} characters` };
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(text);
  } catch (error) {
    const { error: why } = error as { readonly error?: string };
    return {
      problem:
        why === undefined || /perl/i.test(why) ? "RE2 has no such syntax" : why,
    };
  }
  if (compiled.matcher("").find())
    return { problem: "it matches the empty text" };
  return {
    value: {
      text,
      test: (where) => compiled.matcher(where).find(),
      find(where) {
        const out: Range[] = [];
        const matcher = compiled.matcher(where);
        while (matcher.find())
          // An anchor alone is no place that could be taken out.
          if (matcher.end() > matcher.start())
            out.push({ start: matcher.start(), end: matcher.end() });
        return out;
      },
    },
  };
}

const parsed = new Map<string, Expression>();

/** Of texts that `parseExpression` has accepted. Made once for each text. */
export const expressionOf = (text: string): Expression => {
  const known = parsed.get(text);
  if (known !== undefined) return known;
  const made = parseExpression(text);
  if ("problem" in made)
    throw new TypeError("an expression that validation refused came this far");
  parsed.set(text, made.value);
  return made.value;
};
