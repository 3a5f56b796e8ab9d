// Words as a POSIX shell reads them back.

/** Quotes only what needs it; control characters go into `$'…'`. */
export function shellWord(word: string): string {
  if (/^[A-Za-z0-9_@%+=:,./-]+$/.test(word)) return word;
  if (/[\p{Cc}\p{Cf}]/u.test(word))
    return `$'${[...word]
      .map((c) =>
        /[\p{Cc}\p{Cf}]/u.test(c) ? escaped(c) : c.replace(/['\\]/, "\\$&"),
      )
      .join("")}'`;
  return `'${word.replaceAll("'", "'\\''")}'`;
}

const escaped = (c: string): string => {
  const code = c.codePointAt(0) ?? 0;
  return code < 256
    ? `\\x${code.toString(16).padStart(2, "0")}`
    : `\\u${code.toString(16).padStart(4, "0")}`;
};

export const shellLine = (words: readonly string[]): string =>
  words.map(shellWord).join(" ");
