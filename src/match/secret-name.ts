// What a name promises about its value: names of variables, headers, flags, query parameters and JSON members; and
// which values are harmless under such a name. Pure, linear time.
import { alternations, formsIn } from "./secret-form.ts";

/**
 * `password`: any value but a switch is a secret. `token`: any value but a switch, a number, a path or an address.
 * `maybe`: only what looks random or asks to be filled in.
 */
export type Promised = "password" | "token" | "maybe" | "none";

const PASSWORD = new Set([
  "password",
  "passwords",
  "passwd",
  "passphrase",
  "passcode",
  "mnemonic",
]);
const TOKEN = new Set([
  "auth",
  "token",
  "secret",
  "secrets",
  "apikey",
  "apikeys",
  "accesskey",
  "secretkey",
  "privatekey",
  "pat",
  "jwt",
  "bearer",
  "credential",
  "credentials",
  "authorization",
  "cookie",
  "cookies",
]);
const MAYBE = new Set([
  "session",
  "sessionid",
  "tokens",
  "sig",
  "signature",
  "pin",
  "otp",
]);
/** Words before `key` with which it is the name of a thing. */
const PLAIN_KEY = new Set(
  `board bucket cache config document entity env event feature field file foreign group hash host hot idempotency
  index issue item json label language locale lookup map message metadata object org partition primary project
  prompt public publishable query range record registry routing row short site sort space ssh storage tag team
  template tenant translation unique workspace`.split(/\s+/),
);
/** Words that promise a secret wherever they stand, and last words with which the name is about it. */
const ABOUT = /^(?:auth|oauth|token|secret|password|passwd|credentials?)$/;
const PLAIN_END = new Set(
  `algorithm audience budget cache count dir directory domain enabled endpoint env expires expiry file folder format
  header host issuer len length limit limits location max method min mode model name path port prefix provider realm
  region required scheme scope scopes server service size source store strategy timeout ttl type uri url
  version`.split(/\s+/),
);
/** Words at the end that say which of several or in what form, not what. */
const WHICH =
  /^(?:\d+|v\d+|value|string|text|json|hex|pem|b64|base64|default|prod|production|dev|development|staging|stage|test|live|old|new|main|primary|secondary|backup)$/;

/** What a name such as `GITHUB_TOKEN`, `--api-key`, `X-Api-Key` or `perplexityApiKey` promises. */
export function promiseOf(name: string): Promised {
  const words = name
    .slice(-120)
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
  while (words.length > 1 && WHICH.test(words.at(-1) ?? "")) words.pop();
  const last = (words.at(-1) ?? "").replace(/\d+$/, "");
  const before = words.at(-2) ?? "";
  if (PASSWORD.has(last)) return "password";
  // `PWD` alone is the working directory.
  if (last === "pass" || (last === "pwd" && words.length > 1))
    return "password";
  if (last === "key" || last === "keys")
    return before === "" ? "maybe" : PLAIN_KEY.has(before) ? "none" : "token";
  if (TOKEN.has(last)) return "token";
  if (MAYBE.has(last)) return "maybe";
  if (/(?:password|passwd|passphrase)$/.test(last)) return "password";
  if (/(?:secret|token|apikey|credentials?)$/.test(last)) return "token";
  const about =
    words.some((word) => ABOUT.test(word)) ||
    / (?:api|access|secret|private) key /.test(` ${words.join(" ")} `);
  return about && !PLAIN_END.has(last) ? "maybe" : "none";
}

const SWITCH =
  /^(?:true|false|yes|no|on|off|null|none|nil|undefined|enabled|disabled|\d)$/i;
const EMPTY_WORD =
  /^(?:any|apikey|auto|azure|basic|bearer|default|dummy|empty|fake|file|env|github|google|header|iam|jwt|keychain|keyring|latest|local|lm-studio|n\/a|no-key|not-needed|oauth|oauth2|oidc|ollama|optional|prompt|required|saml|sso|stable|stdin|test|token|unused)$/i;
const NUMBER = /^[+-]?\d{0,7}(?:\.\d{0,9})?$/;
const FILL_IN =
  /^[<[{].{0,200}[>\]}]$|\b(?:your|paste|insert|replace|change-?me|placeholder|todo)\b|your[_-]|[_-]here$|^x{3,}$|^\.{3}$|^\*{3,}$/i;
const LONGEST = 512;

/** A stretch of a reference, as `masked` writes it. */
export const MASK = "\u0000";

/**
 * The text with every reference blotted out, character by character: `${NAME}`, `$NAME`, `$(…)`, `%NAME%`, `{{…}}`,
 * `{env:NAME}`. What is left is literal, and so is a reference that holds a known token form.
 */
export const masked = (text: string): string =>
  !/[${%]/.test(text)
    ? text
    : text.replace(
        /\$\{[^{}]{0,200}\}|\$\([^()]{0,400}\)|\{\{[^{}]{0,200}\}\}|\{env:[^{}]{0,200}\}|(?<![A-Za-z0-9])\$[A-Z_][A-Z0-9_]{0,200}(?![A-Za-z0-9])|%[A-Z_][A-Z0-9_]{1,100}%/g,
        (match) =>
          IS_NAME.test(match) || formsIn(match).length === 0
            ? MASK.repeat(match.length)
            : match,
      );

/** A reference to a name alone; others may hold a text of their own, as `${NAME:-text}` and `$(echo text)` do. */
const IS_NAME = /^[^A-Za-z0-9_]*(?:env:)?\w*[^A-Za-z0-9_]*$/;

/** Whether a value is no secret although it stands under this name. `value` is masked, without quotes. */
export function isHarmless(value: string, promise: Promised): boolean {
  if (promise === "none") return true;
  if (value.length > LONGEST) return false;
  const bare = value.trim();
  const literal = bare.replaceAll(MASK, "").replace(/[^\p{L}\p{N}]/gu, "");
  if (bare.includes(MASK) && literal.length < 8) return true;
  if (literal === "" && !FILL_IN.test(bare)) return true;
  if (SWITCH.test(bare) || isPath(bare)) return true;
  if (promise === "password") return false;
  if (bare.length < 3 && !FILL_IN.test(bare)) return true;
  if (EMPTY_WORD.test(bare) || NUMBER.test(bare) || isAddress(bare))
    return true;
  if (promise === "token") return / .* /.test(bare);
  return !FILL_IN.test(bare) && !looksRandom(bare);
}

/** Text between `/` or `\` that starts as a path does; a random text may start with one `/`. */
function isPath(text: string): boolean {
  if (/[+=]/.test(text)) return false;
  if (/^(?:file:|[A-Za-z]:[\\/]|~[\\/]|\.{1,2}[\\/])/.test(text)) return true;
  return (
    text.startsWith("/") && (text.indexOf("/", 1) > 0 || alternations(text) < 4)
  );
}

/** A URL without user information, whose query is looked at elsewhere; a host and port; an e-mail address. */
const isAddress = (text: string): boolean =>
  /^[A-Za-z][A-Za-z0-9+.-]{1,30}:\/\/[^\s@]*$/.test(text) ||
  /^[A-Za-z0-9.-]{1,255}:\d{1,5}$/.test(text) ||
  /^[^\s@]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,5}$/.test(text);

const looksRandom = (text: string): boolean =>
  (text.length >= 8 &&
    !/[\s/\\]/.test(text) &&
    !/\.[A-Za-z]{1,5}$/.test(text) &&
    ((/\d/.test(text) && /[A-Za-z]/.test(text) && alternations(text) >= 2) ||
      /^[A-Za-z0-9_-]{24,}$/.test(text))) ||
  (/^[A-Za-z0-9+/_-]{24,}={0,2}$/.test(text) &&
    !text.includes("//") &&
    alternations(text) >= 4);
