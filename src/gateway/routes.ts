// Which client and which server a request's target means: `/KEY/NAME`, compared as it came, byte for byte. The key is
// unguessable and says who asks; without it the port answers nothing but 404.
import { randomBytes } from "node:crypto";

export interface Client {
  /** The agent's name, for the log; null for programs that are none. */
  readonly agent: string | null;
  readonly key: string;
}

const KEY_BYTES = 32;

export const newKey = (): string =>
  randomBytes(KEY_BYTES).toString("base64url");

export const pathOf = (client: Client, server: string): string =>
  `/${client.key}/${server}`;

/**
 * Makes the function that reads a target. All targets there are stand in one table. A lookup in it costs the same for
 * every wrong one: it goes by a hash over the whole text that only this process can compute, so how long it takes says
 * nothing about how much of a key was right.
 */
export function routes<T>(
  clients: readonly Client[],
  servers: ReadonlyMap<string, T>,
): (target: string) => { readonly client: Client; readonly server: T } | null {
  const known = new Map(
    clients.flatMap((client) =>
      [...servers].map(
        ([name, server]) => [pathOf(client, name), { client, server }] as const,
      ),
    ),
  );
  return (target) => known.get(target) ?? null;
}
