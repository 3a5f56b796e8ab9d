// Forms of secrets that can be recognised without a name beside them: known token prefixes, keys in PEM, random text.
// Pure. Every pattern has a fixed start and single, bounded repetitions, so that matching is linear.

/** Prefixes before at least 16 letters, digits, `_` and `-`. */
const BEFORE_ANY = [
  "gh[pousr]_",
  "github_pat_",
  "gl(?:pat|dt|rt|cbt|ptt|ft|soat|imt|agent)-",
  "sk-",
  "[srp]k_(?:live|test|prod|ant)_",
  "xox[abeoprs]-",
  "xapp-",
  "figd_",
  "sbp_",
  "sb_secret_",
  "tvly-",
  "ctx7sk-",
  "AIza",
  "AQ\\.",
  "ya29\\.",
  "BSA[A-Za-z0-9]{4}",
  "pypi-",
  "nvapi-",
  "hv[sbr]\\.",
  "lsv2_[ps][tk]_",
  "sntry[su]_",
  "AT(?:AT|CT)T[A-Za-z0-9]{4}",
  "CFPAT-",
  "tskey-",
  "PMAK-",
  "NRAK-",
  "xkeysib-",
  "whsec_",
  "pscale_(?:tkn|pw|oauth)_",
  "pat-(?:na|eu)\\d-",
  "apify_api_",
  "bb_(?:live|test)_",
  "cal_(?:live|test)_",
  "dp\\.(?:pt|st|ct|sa)\\.",
].join("|");

/** Prefixes before at least 16 letters and digits: words of programs begin like this too, but go on with `_` or `-`. */
const BEFORE_ALNUM = [
  "npm_",
  "hf_",
  "lin_(?:api|oauth)_",
  "secret_",
  "ntn_",
  "do[opr]_v1_",
  "pplx-",
  "napi_",
  "gsk_",
  "r8_",
  "xai-",
  "fc-",
  "sh(?:pat|pss|ppa|pca)_",
  "glsa_",
  "sq[paus]_",
  "sgp_",
  "e2b_",
  "jina_",
  "phx_",
  "dapi",
].join("|");

export const FORMS: readonly RegExp[] = [
  new RegExp(`(?<![A-Za-z0-9])(?:${BEFORE_ANY})[A-Za-z0-9_-]{16,512}`, "g"),
  new RegExp(`(?<![A-Za-z0-9])(?:${BEFORE_ALNUM})[A-Za-z0-9]{16,512}`, "g"),
  /(?<![A-Za-z0-9])(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])/g,
  /(?<![A-Za-z0-9])SG\.[A-Za-z0-9_-]{16,64}\.[A-Za-z0-9_-]{16,64}/g,
  /(?<![A-Za-z0-9])pat[A-Za-z0-9]{14}\.[A-Za-z0-9]{16,80}/g,
  /(?<![A-Za-z0-9])eyJ[A-Za-z0-9_-]{8,2048}\.eyJ[A-Za-z0-9_-]{8,4096}(?:\.[A-Za-z0-9_-]{0,2048})?/g,
  /(?<![A-Za-z0-9])\d{8,10}:[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])/g,
  /hooks\.slack\.com\/(?:services|workflows)\/[A-Za-z0-9/_-]{16,256}/g,
  /discord(?:app)?\.com\/api\/webhooks\/\d{5,30}\/[A-Za-z0-9_-]{16,256}/g,
  /(?<![A-Za-z0-9])(?:tok|key|pat|token|secret|[spr]k)_(?=[A-Za-z]{0,32}\d)[A-Za-z0-9_-]{10,512}/g,
  /-----BEGIN [A-Z ]{0,32}PRIVATE KEY-----[^-]{0,16384}(?:-----END [A-Z ]{0,32}PRIVATE KEY-----)?/g,
];

export interface Range {
  /** UTF-16 offsets in the text. */
  readonly start: number;
  readonly end: number;
}

/** Fewer characters match none of the forms. */
const SHORTEST = 13;

/** Every place where the text has a known token form. */
export const formsIn = (text: string): readonly Range[] =>
  text.length < SHORTEST
    ? []
    : FORMS.flatMap((form) =>
        [...text.matchAll(form)].map((match) => ({
          start: match.index,
          end: match.index + match[0].length,
        })),
      );

const LONG = 32;

/**
 * Every long run that looks drawn at random: letters and digits that alternate often. Hashes in hexadecimal and UUIDs
 * are rather names of things (digests, commits, images), so they count only when they are the whole text.
 */
export function randomIn(text: string): readonly Range[] {
  if (text.length < LONG) return [];
  const out: Range[] = [];
  for (const match of text.matchAll(/[A-Za-z0-9_-]+/g)) {
    const run = match[0];
    if (run.length < LONG) continue;
    const hexadecimal = /^[0-9a-f-]+$/i.test(run);
    if (hexadecimal && (run.length !== text.length || run.includes("-")))
      continue;
    const needed = hexadecimal ? 3 : /[_-]/.test(run) ? 6 : 4;
    if (alternations(run) < needed || isNameInPath(text, match.index)) continue;
    out.push({ start: match.index, end: match.index + run.length });
  }
  for (const match of text.matchAll(
    /(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{40,4096}={1,2}/g,
  ))
    if (alternations(match[0]) >= 6)
      out.push({ start: match.index, end: match.index + match[0].length });
  return out;
}

/** How often a letter stands beside a digit. */
export function alternations(run: string): number {
  let count = 0;
  for (let i = 1; i < run.length; i++) {
    const pair = `${kindOf(run.charCodeAt(i - 1))}${kindOf(run.charCodeAt(i))}`;
    if (pair === "ld" || pair === "dl") count++;
  }
  return count;
}

const kindOf = (code: number): "l" | "d" | "s" =>
  code >= 48 && code <= 57
    ? "d"
    : (code >= 65 && code <= 90) || (code >= 97 && code <= 122)
      ? "l"
      : "s";

/** Hashes that package stores put into paths, and labels of host names. */
function isNameInPath(text: string, start: number): boolean {
  const before = text.slice(Math.max(0, start - 300), start);
  if (before.endsWith("/nix/store/")) return true;
  const authority = before.lastIndexOf("://");
  return authority >= 0 && !/[/?#@]/.test(before.slice(authority + 3));
}
