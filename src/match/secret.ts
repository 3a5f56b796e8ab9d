// Recognising secrets in text: known token forms, random text, and values that stand under a name that says so. One
// answer for validation, import and redaction. Pure, linear time; names are judged in `secret-name.ts`.
import { formsIn, randomIn, type Range } from "./secret-form.ts";
import {
  isHarmless,
  MASK,
  masked,
  promiseOf,
  type Promised,
} from "./secret-name.ts";

/** Where a text stands: its name decides how much is needed to call it a secret. */
export type SecretPlace =
  /** A word of a command; `before` is the word before it (a flag such as `--token`), or null. */
  | { readonly kind: "word"; readonly before: string | null }
  | { readonly kind: "env"; readonly name: string }
  | { readonly kind: "header"; readonly name: string }
  | { readonly kind: "url" }
  | { readonly kind: "text" }
  /** A line of a configuration file: what stands behind `NAME:` is its value. */
  | { readonly kind: "source" };

interface FoundSecret extends Range {
  /** For people: "the query parameter `token`", "the user information", "a known token form". */
  readonly where: string;
}

/** Words before the secret in the value of a header. */
const SCHEME = /^\s*(?:bearer|basic|token|apikey|api-key|bot|digest)\s+/i;
/** Flags whose value is a script: a name in front of it is an assignment of the script, up to the next blank. */
const SCRIPT = /^(?:-[a-z]{0,3}c|\/[ck]|-command|--eval)$/i;

/** The first secret in a text as written in a file (`${NAME}` references are none), or null. */
export const findSecret = (
  text: string,
  place: SecretPlace,
): FoundSecret | null => findSecrets(text, place)[0] ?? null;

/** Whether the text holds a known token form. */
export const hasSecretForm = (text: string): boolean =>
  formsIn(text).length > 0;

/** Every secret in a text, in order, none inside another. */
export function findSecrets(
  text: string,
  place: SecretPlace,
): readonly FoundSecret[] {
  const shown = masked(text);
  const name =
    place.kind === "env" || place.kind === "header"
      ? place.name
      : place.kind === "word" && /^--?[A-Za-z]/.test(place.before ?? "")
        ? (place.before ?? "")
        : null;
  const whole =
    name === null || name.includes("=") ? null : valueOf(name, shown, place);
  if (whole !== null) return [whole];
  const found = [
    ...formsIn(shown).map((range) => ({
      ...range,
      where: "a known token form",
    })),
    ...userInformation(shown),
    ...pairs(shown, place),
    ...randomIn(shown).map((range) => ({
      ...range,
      where: "a long random text",
    })),
  ];
  return withoutOverlap(found);
}

/** The whole value, after a scheme such as `Bearer`, when its name promises a secret. */
function valueOf(
  name: string,
  text: string,
  place: SecretPlace,
): FoundSecret | null {
  if (place.kind === "word" && text.startsWith("-")) return null;
  const scheme = SCHEME.exec(text)?.[0].length ?? 0;
  if (isHarmless(unquoted(text.slice(scheme)), promiseOf(name))) return null;
  return {
    start: scheme,
    end: text.length,
    where: `the value of \`${name.slice(0, 80)}\``,
  };
}

const unquoted = (text: string): string =>
  text.replace(/^\\*["']/, "").replace(/\\*["']$/, "");

/** Passwords in `scheme://user:password@host` and `user:password@tcp(host)`, and a long user alone. */
function userInformation(text: string): readonly FoundSecret[] {
  if (!text.includes("@") && !text.includes("curl")) return [];
  const out: FoundSecret[] = [];
  const add = (start: number, end: number) => {
    if (text.slice(start, end).replaceAll(MASK, "") !== "")
      out.push({ start, end, where: "the user information" });
  };
  for (const match of text.matchAll(/:\/\//g)) {
    const start = match.index + 3;
    const rest = /^[^\s"'<>`|\\]{0,512}/.exec(text.slice(start, start + 512));
    const reach = rest?.[0] ?? "";
    const authority = /^[^/?#]*/.exec(reach)?.[0] ?? "";
    const colon = authority.indexOf(":");
    // A password may hold `/`, `?` and `#` as people write it; a port may not be mistaken for one.
    const port = /^:\d{1,5}(?:[/?#]|$)/.test(reach.slice(Math.max(colon, 0)));
    const at =
      authority.includes("@") || colon < 0 || port
        ? authority.lastIndexOf("@")
        : reach.lastIndexOf("@");
    if (at <= 0) continue;
    if (colon >= 0 && colon < at) add(start + colon + 1, start + at);
    else if (at >= 16 && /\d/.test(authority.slice(0, at)))
      add(start, start + at);
  }
  // `curl -u user:password` in a script.
  for (const match of text.matchAll(
    /\bcurl\b[^|;&\n]{0,300}?\s(?:-u[ \t]{0,4}|--user[ =][ \t]{0,4})["']?([^\s:"']{1,100}):([^\s"']{1,200})/g,
  )) {
    const end = match.index + match[0].length;
    add(end - (match[2] ?? "").length, end);
  }
  for (const match of text.matchAll(
    /(?<![^\s"'=])[^\s:@/"'=]{1,100}:([^\s@"']{1,200})@(?:tcp|udp|unix)?\(/g,
  )) {
    const end = match.index + match[0].lastIndexOf("@");
    add(end - (match[1] ?? "").length, end);
  }
  return out;
}

/** What may stand before a name at the front of a word: a quote, or the flag that takes it, as in `--env=NAME=…`. */
const FRONT = /^(?:["']|--?[A-Za-z][A-Za-z0-9_.-]{0,80}=){0,3}$/;
const NEXT_PAIR = /[;&,\s][ \t]{0,4}[A-Za-z][A-Za-z0-9_ .-]{0,40}=/;

/** Values behind `NAME=`, `NAME:`, `"NAME":` and `?NAME=`, anywhere in the text. */
function pairs(text: string, place: SecretPlace): readonly FoundSecret[] {
  if (!text.includes("=") && !text.includes(":")) return [];
  const out: FoundSecret[] = [];
  const script = place.kind === "word" && SCRIPT.test(place.before ?? "");
  let reached = 0;
  for (const match of text.matchAll(/[A-Za-z0-9_.-]+/g)) {
    if (match.index < reached) continue;
    const name = match[0];
    const query = /[?&]/.test(text[match.index - 1] ?? "");
    const promised = query ? promiseOfParameter(name) : promiseOf(name);
    const after = match.index + name.length;
    if (promised === "none" || text.startsWith("://", after)) continue;
    const sign = /^(?:\\*["'])?[ \t]{0,4}([:=])[ \t]{0,4}/.exec(
      text.slice(after, after + 24),
    );
    if (sign === null) continue;
    const opened = after + sign[0].length;
    const quote = /^\\*["']/.exec(text.slice(opened, opened + 8))?.[0] ?? "";
    const begin = opened + quote.length;
    const scheme = SCHEME.exec(text.slice(begin, begin + 24))?.[0].length ?? 0;
    const start = begin + scheme;
    const front =
      !script &&
      match.index < 256 &&
      FRONT.test(text.slice(0, match.index)) &&
      !NEXT_PAIR.test(text.slice(start));
    const end = start + lengthOf(text.slice(start), quote, query, front);
    const prose =
      place.kind !== "source" &&
      sign[1] === ":" &&
      quote === "" &&
      scheme === 0 &&
      !front;
    if (isHarmless(text.slice(start, end), prose ? "maybe" : promised))
      continue;
    const kind = query ? "the query parameter" : "the value of";
    out.push({ start, end, where: `${kind} \`${name.slice(0, 80)}\`` });
    reached = end;
  }
  return out;
}

/** In a query a bare `key` is one to an interface, and a `code` or `access` may be. */
const promiseOfParameter = (name: string): Promised =>
  /^key$/i.test(name)
    ? "token"
    : /^(?:code|access)$/i.test(name)
      ? "maybe"
      : promiseOf(name);

/** How far a value reaches: to its quote, to the next parameter, to the end of the word, or to what cannot be in it. */
function lengthOf(
  rest: string,
  quote: string,
  query: boolean,
  front: boolean,
): number {
  if (quote === "" && !query && front) return rest.length;
  const end =
    quote !== ""
      ? rest.indexOf(quote)
      : rest.search(query ? /[&#\s"'<>]/ : /[\s;&,|"'`<>(){}[\]]/);
  return end < 0 ? rest.length : end;
}

/** In order; ranges that meet become one. */
function withoutOverlap(found: readonly FoundSecret[]): readonly FoundSecret[] {
  const out: FoundSecret[] = [];
  for (const next of [...found].sort((a, b) => a.start - b.start)) {
    const last = out.at(-1);
    if (last === undefined || next.start >= last.end) out.push(next);
    else if (next.end > last.end)
      out[out.length - 1] = { ...last, end: next.end };
  }
  return out;
}
