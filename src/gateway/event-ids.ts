// Event ids for clients: a server's id, sealed for one session and one kind of stream. A client can only resume what it
// was given here; an id of another session, or one that was made up, never reaches a server.
import { createHmac, timingSafeEqual } from "node:crypto";

/** "plain": the session's own stream. "call": the stream of one POST. */
export type StreamKind = "plain" | "call";

export interface EventIds {
  seal(session: string, kind: StreamKind, id: string): string;
  open(
    session: string,
    sealed: string,
  ): { readonly kind: StreamKind; readonly id: string } | null;
}

const MAC_BYTES = 12;
/** Characters of a server's id. Longer ones are left out; the stream is then not resumable. */
export const LONGEST_EVENT_ID = 512;

export function eventIds(secret: Uint8Array): EventIds {
  const mac = (session: string, rest: Uint8Array): Buffer =>
    createHmac("sha256", secret)
      .update(`${session}\0`)
      .update(rest)
      .digest()
      .subarray(0, MAC_BYTES);
  return {
    seal(session, kind, id) {
      const rest = Buffer.from(`${kind === "plain" ? "p" : "c"}${id}`);
      return Buffer.concat([mac(session, rest), rest]).toString("base64url");
    },
    open(session, sealed) {
      const bytes = Buffer.from(sealed, "base64url");
      if (bytes.length <= MAC_BYTES) return null;
      const rest = bytes.subarray(MAC_BYTES);
      if (!timingSafeEqual(mac(session, rest), bytes.subarray(0, MAC_BYTES)))
        return null;
      const text = rest.toString();
      return { kind: text[0] === "p" ? "plain" : "call", id: text.slice(1) };
    },
  };
}
