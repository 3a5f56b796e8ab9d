// The tokens of JSON text: blanks, strings, numbers and words, each read at a place that moves on (see `json-scan.ts`).

export type ScanProblem =
  "syntax" | "duplicate" | "surrogate" | "number" | "depth" | "members";

type ScalarKind = "string" | "number" | "word";

/** Where a scan is, and what it has found. An object, since closures made anew for each text cost more than they read. */
export interface Scan {
  readonly text: string;
  /** Control characters stand somewhere in the text. */
  readonly hasControls: boolean;
  at: number;
  problem: ScanProblem | null;
  /** Where the next quote and the next backslash are, as far as that is known; found by the engine's own search. */
  quote: number;
  backslash: number;
  /** What the last string that was read was like. */
  escaped: boolean;
  lone: boolean;
  anyLone: boolean;
}

export const startScan = (text: string): Scan => ({
  text,
  hasControls: /[\0-\x1f]/.test(text),
  at: 0,
  problem: null,
  quote: -1,
  backslash: -1,
  escaped: false,
  lone: false,
  anyLone: false,
});

export const QUOTE = 0x22;
const BACKSLASH = 0x5c;

export function skipBlanks(scan: Scan): void {
  for (;;) {
    const c = scan.text.charCodeAt(scan.at);
    if (c !== 0x20 && c !== 0x0a && c !== 0x0d && c !== 0x09) return;
    scan.at++;
  }
}

/** Reads a string, a number or a word that begins with the character `c`; null when it is none. */
export function readScalar(scan: Scan, c: number): ScalarKind | null {
  const { text, at } = scan;
  if (c === QUOTE) return readString(scan) ? "string" : null;
  if (c === 0x2d || (c >= 0x30 && c <= 0x39))
    return readNumber(scan) ? "number" : null;
  if (c === 0x74 && text.startsWith("true", at)) scan.at += 4;
  else if (c === 0x66 && text.startsWith("false", at)) scan.at += 5;
  else if (c === 0x6e && text.startsWith("null", at)) scan.at += 4;
  else return null;
  return "word";
}

/** Reads a string that starts here; false when it is none. */
export function readString(scan: Scan): boolean {
  const { text } = scan;
  scan.escaped = false;
  scan.lone = false;
  for (let from = scan.at + 1; ; from = scan.at + 1) {
    if (scan.quote < from) scan.quote = indexFrom(text, '"', from);
    if (scan.backslash < from) scan.backslash = indexFrom(text, "\\", from);
    const to = Math.min(scan.quote, scan.backslash);
    scan.at = to;
    if (to === text.length) return false;
    if (scan.hasControls && !isPrintable(text, from, to)) return false;
    if (scan.quote < scan.backslash) {
      scan.at++;
      return true;
    }
    if (!readEscape(scan)) return false;
  }
}

/** Reads the escape that starts here and stays on its last character. */
function readEscape(scan: Scan): boolean {
  const { text } = scan;
  scan.escaped = true;
  const c = text.charCodeAt(++scan.at);
  if (c !== 0x75)
    return scan.at < text.length && '"\\/bfnrt'.includes(text.charAt(scan.at));
  const unit = readHex(scan);
  if (unit < 0) return false;
  if (unit >= 0xdc00 && unit <= 0xdfff) scan.lone = scan.anyLone = true;
  if (unit < 0xd800 || unit > 0xdbff) return true;
  const here = scan.at;
  if (
    text.charCodeAt(here + 1) === BACKSLASH &&
    text.charCodeAt(here + 2) === 0x75
  ) {
    scan.at += 2;
    const next = readHex(scan);
    if (next >= 0xdc00 && next <= 0xdfff) return true;
    scan.at = here;
  }
  scan.lone = scan.anyLone = true;
  return true;
}

/** The four hexadecimal digits behind the `u` here, or -1. */
function readHex(scan: Scan): number {
  let value = 0;
  for (let n = 0; n < 4; n++) {
    const c = scan.text.charCodeAt(++scan.at);
    const lower = c | 0x20;
    if (c >= 0x30 && c <= 0x39) value = value * 16 + (c - 0x30);
    else if (lower >= 0x61 && lower <= 0x66)
      value = value * 16 + (lower - 0x57);
    else return -1;
  }
  return value;
}

function readNumber(scan: Scan): boolean {
  const { text } = scan;
  const from = scan.at;
  if (text.charCodeAt(scan.at) === 0x2d) scan.at++;
  if (text.charCodeAt(scan.at) === 0x30) scan.at++;
  else if (!readDigits(scan)) return false;
  if (text.charCodeAt(scan.at) === 0x2e) {
    scan.at++;
    if (!readDigits(scan)) return false;
  }
  let exponent = false;
  if ((text.charCodeAt(scan.at) | 0x20) === 0x65) {
    exponent = true;
    scan.at++;
    const sign = text.charCodeAt(scan.at);
    if (sign === 0x2b || sign === 0x2d) scan.at++;
    if (!readDigits(scan)) return false;
  }
  // `1e400` is infinity to one parser, an error or a large number to another.
  if (
    (exponent || scan.at - from > 300) &&
    !Number.isFinite(Number(text.slice(from, scan.at)))
  ) {
    scan.problem = "number";
    return false;
  }
  return true;
}

function readDigits(scan: Scan): boolean {
  const from = scan.at;
  for (;;) {
    const c = scan.text.charCodeAt(scan.at);
    if (!(c >= 0x30 && c <= 0x39)) return scan.at > from;
    scan.at++;
  }
}

/** The place of a character from an offset on, or the end of the text. */
function indexFrom(text: string, char: string, from: number): number {
  const at = text.indexOf(char, from);
  return at < 0 ? text.length : at;
}

/** Whether no control character stands between two offsets. */
function isPrintable(text: string, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (text.charCodeAt(i) < 0x20) return false;
  return true;
}
