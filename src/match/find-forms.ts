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
/** By code unit; 0 for whatever belongs to no form's run. */
const CLASS = new Uint8Array(0x10000);
for (const c of "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
  CLASS[c.charCodeAt(0)] = ALNUM;
for (const c of "_-./:") CLASS[c.charCodeAt(0)] = JOINER;

const BACKSLASH = 0x5c;
const DASH = 0x2d;

/** The places of token forms in a text, in order, none inside another. */
export const findForms = (text: string): readonly Range[] =>
  text.length < SHORTEST ? NONE : find(text, false, Infinity);

const NONE: readonly Range[] = [];

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
  for (let i = 0; ;) {
    // A run that is long enough has a character in every so many places: most of the others are never looked at.
    let hit = i + SHORTEST - 1;
    while (hit < text.length && classAt(text, hit) === 0) hit += SHORTEST;
    if (hit >= text.length) return out;
    /** The classes of the run's characters, as bits. */
    let kinds = 0;
    let kind = classAt(text, hit);
    let start = hit + 1;
    while (kind !== 0) {
      kinds |= kind;
      start--;
      kind = start > i ? classAt(text, start - 1) : 0;
    }
    if (json && isEscaped(text, start, i)) start++;
    i = hit + 1;
    kind = i < text.length ? classAt(text, i) : 0;
    while (kind !== 0) {
      kinds |= kind;
      i++;
      kind = i < text.length ? classAt(text, i) : 0;
    }
    if (i - start < SHORTEST) continue;
    // In a single word only its start is one of a form. A form may reach beyond the run.
    i =
      kinds === ALNUM
        ? Math.max(i, findAt(text, start, i, middle, out))
        : findInRun(text, start, i, middle, out, most);
    if (out.length >= most) return out;
  }
}

const classAt = (text: string, at: number): number =>
  CLASS[text.charCodeAt(at)] as number;

/** Whether the character is one of an escape that begins at `from` or later. */
function isEscaped(text: string, at: number, from: number): boolean {
  let slashes = 0;
  while (at - slashes > from && text.charCodeAt(at - 1 - slashes) === BACKSLASH)
    slashes++;
  return slashes % 2 === 1;
}

/** Tries one place; gives the offset behind the form there, or `none` when there is no form. */
function findAt(
  text: string,
  at: number,
  none: number,
  middle: { at: number },
  out: Range[],
): number {
  const range = formAt(text, at, middle);
  if (range === null) return none;
  out.push(range);
  return range.end;
}

/** Tries the places of a run where a form can begin; gives the offset up to which the text is done with. */
function findInRun(
  text: string,
  start: number,
  end: number,
  middle: { at: number },
  out: Range[],
  most: number,
): number {
  let at = start;
  while (end - at >= SHORTEST && out.length < most)
    at = isStart(text, at, start)
      ? findAt(text, at, at + 1, middle, out)
      : at + 1;
  return Math.max(at, end);
}

/** Whether a form can begin here: at a letter or digit behind none, or at a key in PEM. */
function isStart(text: string, at: number, runStart: number): boolean {
  const code = text.charCodeAt(at);
  if (code === DASH) return text.startsWith("-----BEGIN", at);
  return (
    at === runStart ||
    (CLASS[code] === ALNUM && CLASS[text.charCodeAt(at - 1)] !== ALNUM)
  );
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
