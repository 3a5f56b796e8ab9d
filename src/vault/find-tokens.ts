// Whether the token of each server is stored, for showing: nothing is read, nobody is asked, and servers without a
// token cost nothing.
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { Host } from "../host/host.ts";
import type { Server } from "../model/model.ts";
import { vaultKey } from "./key.ts";
import { openVault, type Store } from "./vault.ts";

export interface FoundToken {
  readonly token: "none" | "stored" | "missing";
  readonly store: Store | null;
}

export interface FoundTokens {
  /** By the server's name; one for each server. */
  readonly tokens: ReadonlyMap<string, FoundToken>;
  /** Variables that are set and do not count. */
  readonly diagnostics: readonly Diagnostic[];
}

export async function findTokens(
  host: Host,
  servers: readonly Server[],
): Promise<FoundTokens> {
  const vault = openVault(host);
  const found = await Promise.all(
    servers.map(async (server) => {
      const key = vaultKey(host, server);
      if (key === null)
        return {
          name: server.name,
          token: "none",
          store: null,
          diagnostics: [],
        } as const;
      const { value, diagnostics } = await vault.find(key);
      return {
        name: server.name,
        token: value === null ? "missing" : "stored",
        store: value,
        diagnostics,
      } as const;
    }),
  );
  return {
    tokens: new Map(
      found.map(({ name, token, store }) => [name, { token, store }]),
    ),
    diagnostics: found.flatMap((f) => f.diagnostics),
  };
}
