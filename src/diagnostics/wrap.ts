// Breaks words into lines of a width.

/** What stands between backticks stays together: it may be copied. */
const UNBROKEN = /(?:`[^`]*`|[^ `]|`)+/g;

export function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.match(UNBROKEN) ?? []) {
    if (line !== "" && columns(line) + 1 + columns(word) > width) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return line === "" ? lines : [...lines, line];
}

/** Columns that a terminal takes for the text: wide characters two, combining ones none. */
export function columns(text: string): number {
  let n = 0;
  for (const c of text) n += /\p{M}/u.test(c) ? 0 : WIDE.test(c) ? 2 : 1;
  return n;
}

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;

/** The length of the longest word, 0 without one. No spreading into `Math.max`: a long list has no room on the stack. */
export const longest = (words: readonly string[]): number =>
  words.reduce((most, word) => Math.max(most, word.length), 0);
