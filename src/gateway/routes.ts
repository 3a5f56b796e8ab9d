// Which client and which server a request's target means: `/KEY/NAME`, compared as it came, byte for byte. The key is
// unguessable and says who asks; without it the port answers nothing but 404.
import { randomBytes, timingSafeEqual } from "node:crypto";

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
  const known = clients.map((client) => ({
    client,
    key: Buffer.from(client.key, "latin1"),
  }));
  return (target) => {
    if (target.charAt(0) !== "/" || target.charAt(KEY_LENGTH + 1) !== "/")
      return null;
    const given = Buffer.from(target.slice(1, KEY_LENGTH + 1), "latin1");
    if (given.length !== KEY_LENGTH) return null;
    // Every key is compared, each in constant time: how long it takes says nothing about any of them.
    let found: Client | null = null;
    for (const { client, key } of known)
      if (timingSafeEqual(key, given)) found = client;
    const server = servers.get(target.slice(KEY_LENGTH + 2));
    return found === null || server === undefined
      ? null
      : { client: found, server };
  };
}
