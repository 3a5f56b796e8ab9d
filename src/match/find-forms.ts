// Finds token forms in long texts, quickly: they are tried only where one can begin. Pure, linear time.
import { FORMS, type Range } from "./secret-form.ts";

/** The forms, to be tried at one place; what may stand before them is checked by the caller. */
const AT_PLACE: readonly RegExp[] = FORMS.map(
  (form) => new RegExp(form.source.replaceAll("(?<![A-Za-z0-9])", ""), "y"),
);
const ANY_AT_PLACE = new RegExp(
  AT_PLACE.map((form) => `(?:${form.source})`).join("|"),
  "y",
);

/** Every form has at least so many characters of words and joiners in a row. */
const SHORTEST = 10;
/** What the first part of a JWT has at most. */
const LONGEST_HEAD = 2_051;

const ALNUM = 1;
const JOINER = 2;
const CLASS = new Uint8Array(128);
for (const c of "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
  CLASS[c.charCodeAt(0)] = ALNUM;
for (const c of "_-./:") CLASS[c.charCodeAt(0)] = JOINER;
const classAt = (text: string, at: number): number =>
  CLASS[text.charCodeAt(at)] ?? 0;

const BACKSLASH = 0x5c;
const DASH = 0x2d;

/** The places of token forms in a text, in order, none inside another. */
export const findForms = (text: string): readonly Range[] =>
  find(text, false, Infinity);

/**
 * Whether JSON source may hold a token form in one of its strings. Never false when one does, as long as it spells no
 * ordinary character with an escape.
 */
export const mayHoldForm = (json: string): boolean =>
  find(json, true, 1).length > 0;

/** With `json` a backslash and the character behind it stand for one other character, so a form may follow directly. */
function find(text: string, json: boolean, most: number): readonly Range[] {
  const out: Range[] = [];
  const middle = { at: -1 };
  let i = 0;
  while (i < text.length && out.length < most) {
    if (classAt(text, i) === 0) {
      i += json && text.charCodeAt(i) === BACKSLASH ? 2 : 1;
      continue;
    }
    let end = i + 1;
    while (classAt(text, end) !== 0) end++;
    let at = i;
    while (end - at >= SHORTEST) {
      const range = isStart(text, at, i) ? formAt(text, at, middle) : null;
      if (range !== null && out.push(range) >= most) return out;
      at = range?.end ?? at + 1;
    }
    i = Math.max(end, at);
  }
  return out;
}

/** Whether a form can begin here: at a letter or digit behind none, or at the first of several dashes. */
function isStart(text: string, at: number, runStart: number): boolean {
  if (at === runStart) return true;
  return text.charCodeAt(at) === DASH
    ? text.charCodeAt(at - 1) !== DASH
    : classAt(text, at) === ALNUM && classAt(text, at - 1) !== ALNUM;
}

/** The longest form that stands at a place. `middle` remembers where the next middle of a JWT is. */
function formAt(
  text: string,
  at: number,
  middle: { at: number },
): Range | null {
  if (text.startsWith("eyJ", at)) {
    // Without this a text of many `eyJ` would be walked through again from each of them.
    if (middle.at < at) {
      const next = text.indexOf(".eyJ", at);
      middle.at = next < 0 ? Infinity : next;
    }
    if (middle.at - at > LONGEST_HEAD) return null;
  }
  ANY_AT_PLACE.lastIndex = at;
  if (!ANY_AT_PLACE.test(text)) return null;
  let end = at;
  for (const form of AT_PLACE) {
    form.lastIndex = at;
    if (form.test(text)) end = Math.max(end, form.lastIndex);
  }
  return { start: at, end };
}
