// Which client and which server a request's target means: `/KEY/NAME`, compared as it came, byte for byte. The key is
// unguessable and says who asks; without it the port answers nothing but 404.
import { randomBytes } from "node:crypto";

export interface Client {
  /** The agent's name, for the log; null for programs that are none. */
  readonly agent: string | null;
  readonly key: string;
}

const KEY_BYTES = 32;
/** Base64url without padding. */
const KEY_LENGTH = Math.ceil((KEY_BYTES * 4) / 3);

export const newKey = (): string =>
  randomBytes(KEY_BYTES).toString("base64url");

export const pathOf = (client: Client, server: string): string =>
  `/${client.key}/${server}`;

/** Makes the function that reads a target. */
export function routes<T>(
  clients: readonly Client[],
  servers: ReadonlyMap<string, T>,
): (target: string) => { readonly client: Client; readonly server: T } | null {
  // Looked up by the hash of the whole key: how long that takes says nothing about how much of a key was guessed.
  const byKey = new Map(clients.map((client) => [client.key, client]));
  return (target) => {
    if (target.charAt(0) !== "/" || target.charAt(KEY_LENGTH + 1) !== "/")
      return null;
    const client = byKey.get(target.slice(1, KEY_LENGTH + 1));
    const server = servers.get(target.slice(KEY_LENGTH + 2));
    return client === undefined || server === undefined
      ? null
      : { client, server };
  };
}
