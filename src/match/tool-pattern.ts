// Tool names and patterns: exact names, and `*` for any run of characters (dots included). Pure.

/** The characters that `all` and patterns cover; any other tool name needs an exact entry. */
export const PLAIN_TOOL_NAME = /^[A-Za-z0-9_.-]{1,128}$/;

/** A rule may not be longer. */
export const MOST_CHARACTERS = 256;

export const isPattern = (rule: string): boolean => rule.includes("*");

/** Whether a rule of this text means just the tool of that name. */
export const isExactRule = (name: string): boolean =>
  name !== "" && !name.startsWith("!") && !isPattern(name);

/**
 * Whether `text` matches `pattern`, by code unit. The parts between the wildcards are found one after the other, each as
 * early as it can be.
 */
export function globMatches(pattern: string, text: string): boolean {
  const first = pattern.indexOf("*");
  if (first < 0) return pattern === text;
  const last = pattern.lastIndexOf("*");
  const end = text.length - (pattern.length - 1 - last);
  if (end < first || !text.startsWith(pattern.slice(0, first))) return false;
  if (!text.endsWith(pattern.slice(last + 1))) return false;
  let at = first;
  for (const part of pattern.slice(first, last).split("*")) {
    const found = text.indexOf(part, at);
    if (found < 0 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}

/** Whether every name that matches `inner` certainly matches `outer`: a `*` of `inner` can only meet one of `outer`. */
export const globCovers = (outer: string, inner: string): boolean =>
  // Plain matching takes a `*` of `inner` for any other character, if it is none of `outer`'s own.
  globMatches(outer, inner.replaceAll("*", "\u0000"));

/** Whether some name matches both rules. */
export function globsMeet(a: string, b: string): boolean {
  if (!isPattern(a)) return globMatches(b, a);
  if (!isPattern(b)) return globMatches(a, b);
  // Between its first and its last part a wildcard of each takes in all that the other wants there.
  const start = Math.min(a.indexOf("*"), b.indexOf("*"));
  const end = Math.min(
    a.length - 1 - a.lastIndexOf("*"),
    b.length - 1 - b.lastIndexOf("*"),
  );
  return (
    a.slice(0, start) === b.slice(0, start) &&
    a.slice(a.length - end) === b.slice(b.length - end)
  );
}

const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}\p{Z}]/gu;

/**
 * The form in which `deny` and `ask` compare besides the exact one: NFKC, case folded, without invisible characters
 * and blanks.
 */
export function foldName(name: string): string {
  // In visible ASCII only the case can fold.
  if (/^[!-~]*$/.test(name)) return name.toLowerCase();
  const compact = name.normalize("NFKC").replace(INVISIBLE, "");
  // Upper and lower case in turn approximate full case folding: sharp s and ss, the two sigmas, dotless i.
  return compact
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .normalize("NFKC")
    .replace(INVISIBLE, "");
}

/** `allow`: exact, by code point; a pattern covers only plain names. */
export const allowMatches = (rule: string, name: string): boolean =>
  isPattern(rule)
    ? PLAIN_TOOL_NAME.test(name) && globMatches(rule, name)
    : rule === name;

/** `deny` and `ask`: as written, or folded. */
export const refuseMatches = (rule: string, name: string): boolean =>
  isPattern(rule)
    ? globMatches(rule, name) || globMatches(foldName(rule), foldName(name))
    : rule === name || foldName(rule) === foldName(name);
