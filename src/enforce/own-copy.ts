// Texts that are kept longer than the message they stood in. A piece of a string keeps the whole string in memory, and
// a name out of a list of 16 MiB must not do that.

/** Shorter pieces are copies already. */
const SHORT = 13;

export const ownCopy = (text: string): string =>
  text.length < SHORT ? text : (JSON.parse(JSON.stringify(text)) as string);
