// Tool names and patterns: exact names, and `*` for any run of characters (dots included). Pure.

/** The characters that `all` and patterns cover; any other tool name needs an exact entry. */
export const PLAIN_TOOL_NAME = /^[A-Za-z0-9_.-]{1,128}$/;

export const isPattern = (rule: string): boolean => rule.includes("*");

/**
 * Whether `text` matches `pattern`, by code unit, in time linear in both for each `*`. With `covers`, a `*` in `text`
 * may only be taken by a `*` of the pattern: then a match means that every name that matches `text` matches `pattern`.
 */
export function globMatches(pattern: string, text: string): boolean {
  let p = 0;
  let t = 0;
  let star = -1;
  let mark = 0;
  while (t < text.length) {
    if (pattern[p] === "*") {
      star = p++;
      mark = t;
    } else if (p < pattern.length && pattern[p] === text[t]) {
      p++;
      t++;
    } else if (star >= 0) {
      p = star + 1;
      t = ++mark;
    } else return false;
  }
  while (pattern[p] === "*") p++;
  return p === pattern.length;
}

/** Whether every name that matches `inner` certainly matches `outer`: a `*` of `inner` can only meet one of `outer`. */
export const globCovers = (outer: string, inner: string): boolean =>
  // `*` is no character of `outer` outside its own wildcards, so plain matching treats `inner`'s `*` as any other one.
  globMatches(outer.replace(/\*+/g, "*"), inner.replaceAll("*", "\u0000"));

/** The longest name that a pattern of `allow` covers. */
const MOST = 128;

/**
 * Whether some name matches both rules. Of two patterns one must be of `allow`, which covers plain names only: with more
 * characters than such a name has, nothing is in both.
 */
export function globsMeet(a: string, b: string): boolean {
  if (!isPattern(a)) return globMatches(b, a);
  if (!isPattern(b)) return globMatches(a, b);
  const [one, other] = [a.replace(/\*+/g, "*"), b.replace(/\*+/g, "*")];
  if ([one, other].some((p) => p.replaceAll("*", "").length > MOST))
    return false;
  // From the ends to the beginnings: whether what is left of the one and what is left of the other can be the same.
  let after: readonly boolean[] = [];
  for (let i = one.length; i >= 0; i--) {
    const row: boolean[] = [];
    for (let j = other.length; j >= 0; j--)
      row[j] =
        (i === one.length && j === other.length) ||
        ((one[i] === "*" || other[j] === "*") &&
          (after[j] === true || row[j + 1] === true)) ||
        (i < one.length && one[i] === other[j] && after[j + 1] === true);
    after = row;
  }
  return after[0] === true;
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
