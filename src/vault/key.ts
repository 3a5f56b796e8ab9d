// What a stored token is bound to. Another URL, another header or another file is another key, so that an edited or a
// copied file never gets the token that was stored for this one.
import type { Host } from "../host/host.ts";
import { isOuterLayer } from "../match/outer-layer.ts";
import type { Server } from "../model/model.ts";
import { sha256 } from "../sha256.ts";

export interface VaultKey {
  readonly name: string;
  /** WHATWG serialisation. */
  readonly url: string;
  /** `Authorization`, or the header that the file names. */
  readonly header: string;
  /** Real path of the file that defines the server. */
  readonly file: string;
  /** True for a server of the machine file: no repository can have changed its URL. */
  readonly machine: boolean;
}

/** Null for a server that uses no token. */
export function vaultKey(
  host: Pick<Host, "files">,
  server: Pick<Server, "name" | "origin" | "transport">,
): VaultKey | null {
  const { transport, origin } = server;
  if (transport.kind !== "http" || transport.token.kind === "none") return null;
  return {
    name: server.name,
    url: transport.url,
    header:
      transport.token.kind === "header"
        ? transport.token.header
        : "Authorization",
    file: host.files.realpath(origin.at.file),
    machine: isOuterLayer(origin.layer),
  };
}

/** The account under which a keychain holds the token: a name for people, and a hash that no other key has. */
export function accountOf(key: VaultKey): string {
  const bound = [key.name, key.url, key.header.toLowerCase(), key.file];
  const hash = sha256(JSON.stringify(bound));
  return `${key.name} ${hash}`;
}
