// Takes secrets out of texts and leaves references in their place.
import { findSecrets, type SecretPlace } from "../match/secret.ts";

interface Hidden {
  readonly text: string;
  /** The variables that now stand for secrets. */
  readonly variables: readonly string[];
}

/**
 * Replaces every secret part of a text, as it is written in fenzi.yaml, by `${VARIABLE}`, a second one by
 * `${VARIABLE_2}`. What is left holds no secret that `findSecrets` knows.
 */
export function hideSecrets(
  text: string,
  place: SecretPlace,
  variable: string,
): Hidden {
  const found = findSecrets(text, place);
  if (found.length === 0) return { text, variables: [] };
  const variables = found.map((_, i) =>
    i === 0 ? variable : `${variable}_${i + 1}`,
  );
  let out = "";
  let from = 0;
  found.forEach(({ start, end }, i) => {
    out += `${text.slice(from, start)}\${${variables[i] ?? variable}}`;
    from = end;
  });
  out += text.slice(from);
  // A cut may bring two halves together that look like a secret again.
  return findSecrets(out, place).length === 0
    ? { text: out, variables }
    : { text: `\${${variable}}`, variables: [variable] };
}

/** A name as a part of a variable's name: `my-server` is `MY_SERVER`. */
export const variablePart = (name: string): string =>
  name.toUpperCase().replace(/[^A-Z0-9]/g, "_");
