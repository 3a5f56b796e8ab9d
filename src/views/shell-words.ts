// Words as a shell reads them back: sh, bash, zsh and ksh; what cannot be seen as bash, zsh, ksh and POSIX of 2024 do,
// which not every `sh` knows yet.
import { UNSEEN } from "../diagnostics/visible.ts";

/** Quotes only what needs it; what cannot be seen goes into `$'…'`. */
export function shellWord(word: string): string {
  if (/^[A-Za-z0-9_@%+=:,./-]+$/.test(word)) return word;
  if (word.search(UNSEEN) >= 0)
    return `$'${word.replace(/['\\]/g, "\\$&").replace(UNSEEN, bytes)}'`;
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** Its bytes in octal, which mean the same in every shell and every locale. */
const bytes = (c: string): string =>
  [...new TextEncoder().encode(c)]
    .map((byte) => `\\${byte.toString(8).padStart(3, "0")}`)
    .join("");

export const shellLine = (words: readonly string[]): string =>
  words.map(shellWord).join(" ");
