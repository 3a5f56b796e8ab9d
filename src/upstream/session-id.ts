// The id of a session, as a server may give one.

/** Visible ASCII, as the protocol says, and not long enough to fill a head. */
export const isSessionId = (text: string): boolean =>
  /^[\x21-\x7e]{1,1024}$/.test(text);
