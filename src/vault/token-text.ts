// What may be stored as a token: what a client can send in the header it is for.

/** Longer than any token in use; some keychains hold less and say so. */
const LONGEST = 16_384;

/** Without the line break that `echo` or a file puts behind it. */
export const trimToken = (text: string): string => text.replace(/\r?\n$/, "");

/** What is wrong with a token, in words that do not show it; or null. */
export function tokenProblem(token: string, header: string): string | null {
  if (token === "") return "is empty";
  if (token.length > LONGEST)
    return `has more than ${LONGEST.toLocaleString("en")} characters`;
  if (/^bearer\s/i.test(token))
    return "begins with `Bearer`, which is added when it is sent";
  if (header.toLowerCase() === "authorization")
    return /^[\x21-\x7e]+$/.test(token)
      ? null
      : "has a blank, a line break or a character beyond ASCII in it";
  return /^[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?$/.test(token)
    ? null
    : "has a line break or a character beyond ASCII in it, or a blank at its start or end";
}
