// The spellings in which a server may send back a secret that was put on its request: in any case, in base64 or
// hexadecimal, with percent signs or escapes in it.
import type { Range } from "../match/secret-form.ts";

interface SecretMatcher {
  /** Places in a decoded text, in no order. */
  find(text: string): readonly Range[];
  /** Whether JSON source may hold one in a string that spells no ordinary character with an escape. */
  mayHold(json: string): boolean;
}

/** Shorter values stand in ordinary texts by chance: they are looked for as they are, or not at all. */
const SHORTEST = 4;
const LONG_ENOUGH = 8;

export function secretMatcher(secrets: readonly string[]): SecretMatcher {
  const plain: string[] = [];
  const encoded: string[] = [];
  const spelt: string[] = [];
  for (const secret of new Set(secrets)) {
    if (secret.length < SHORTEST) continue;
    plain.push(literal(secret));
    if (secret.length < LONG_ENOUGH) continue;
    for (const each of encodings(secret).map(literal)) encoded.push(each);
    spelt.push([...secret].map(anySpelling).join(""));
  }
  if (plain.length === 0) return { find: () => [], mayHold: () => false };
  const direct = new RegExp([...plain, ...encoded].join("|"), "i");
  const escaped = new RegExp(spelt.join("|") || "(?!)", "i");
  // In JSON source these stand with a backslash before them.
  const hasQuotes = secrets.some((secret) => /["\\/]/.test(secret));
  const mayBeSpelt = (text: string): boolean =>
    text.includes("%") ||
    text.includes("\\u") ||
    (hasQuotes && text.includes("\\"));
  return {
    find: (text) => [
      ...rangesOf(direct, text),
      ...(mayBeSpelt(text) ? rangesOf(escaped, text) : []),
    ],
    mayHold(json) {
      if (hasQuotes && json.includes("\\")) return true;
      return direct.test(json) || (mayBeSpelt(json) && escaped.test(json));
    },
  };
}

const rangesOf = (pattern: RegExp, text: string): readonly Range[] =>
  [...text.matchAll(new RegExp(pattern, "gi"))].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
  }));

const literal = (text: string): string =>
  text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");

/** One character as itself, behind backslashes, as `%hh` bytes, or as a `\uhhhh` escape in a text. */
function anySpelling(char: string): string {
  const bytes = [...new TextEncoder().encode(char)];
  const percent = bytes.map((byte) => `%${hex(byte, 2)}`).join("");
  const units = char
    .split("")
    .map((unit) => `\\\\{1,8}u${hex(unit.charCodeAt(0), 4)}`)
    .join("");
  const quoted = /["\\/]/.test(char) ? "\\\\{0,8}" : "";
  return `(?:${quoted}${literal(char)}|${percent}|${units})`;
}

const hex = (value: number, length: number): string =>
  value.toString(16).padStart(length, "0");

/** What surely stands in any base64 or hexadecimal text of bytes that hold the secret. */
function encodings(secret: string): readonly string[] {
  const bytes = [...new TextEncoder().encode(secret)];
  const out = new Set([bytes.map((byte) => hex(byte, 2)).join("")]);
  for (let before = 0; before < 3; before++) {
    const padded = [...Array.from({ length: before }, () => 0), ...bytes];
    const text = btoa(String.fromCharCode(...padded));
    // The first characters also depend on the bytes before, the last ones on the bytes behind.
    const core = text.slice(
      Math.ceil((before * 8) / 6),
      Math.floor((padded.length * 8) / 6),
    );
    out.add(core);
    out.add(core.replaceAll("+", "-").replaceAll("/", "_"));
  }
  return [...out];
}
