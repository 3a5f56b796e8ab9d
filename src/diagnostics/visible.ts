// Text of others as a terminal may show it: nothing in it moves the cursor, turns the writing around or cannot be seen.
import { blankSecrets } from "../match/blank-secrets.ts";

/** Characters that are not shown as themselves: control, bidirectional, invisible, and halves of a pair. */
export const UNSEEN =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;

/** All of a text, secrets too, on one line: for a person who has to see what will run. */
export const visibleWhole = (text: string): string =>
  text.replace(UNSEEN, escaped);

/** At most 120 characters of it, without its secrets. */
export function visible(text: string): string {
  // More than the longest secret that begins in what is shown.
  const shown = visibleWhole(blankSecrets(text.slice(0, 8192)));
  return shown.length > 120 ? `${shown.slice(0, 119)}…` : shown;
}

/** Lines: their ends and tabs stay. */
export const visibleLines = (text: string): string =>
  text.replace(UNSEEN, (c) => (c === "\n" || c === "\t" ? c : escaped(c)));

/** Lines that are painted already: of the characters that steer a terminal, only our colours stay. */
export const paintedLines = (text: string): string =>
  text
    .split(COLOUR)
    .map((part, i) => (i % 2 === 1 ? part : visibleLines(part)))
    .join("");

// What bold, dim and the colours begin and end with. The escape character is meant.
// oxlint-disable-next-line no-control-regex
const COLOUR = /(\u001b\[(?:1|2|22|3[1236]|39)m)/;

/** JSON text: the same values, such characters as escapes of JSON. */
export const visibleJson = (json: string): string =>
  json.replace(UNSEEN, (c) =>
    c === "\n"
      ? c
      : c
          .split("")
          .map((u) => `\\u${u.charCodeAt(0).toString(16).padStart(4, "0")}`)
          .join(""),
  );

const escaped = (c: string): string =>
  `\\u{${(c.codePointAt(0) ?? 0).toString(16)}}`;
