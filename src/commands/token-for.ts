// The token of a server that is being added: asked for at once on a terminal, or found where it was stored before.
import { report } from "../diagnostics/catalog.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { canAsk } from "../host/can-ask.ts";
import type { Host } from "../host/host.ts";
import type { Server } from "../model/model.ts";
import { vaultKey, type VaultKey } from "../vault/key.ts";
import { Secret } from "../vault/secret.ts";
import { tokenProblem, trimToken } from "../vault/token-text.ts";
import { openVault } from "../vault/vault.ts";

/** The hidden prompt. Null: later. */
export async function askToken(
  host: Host,
  name: string,
  header: string,
): Promise<Secret | null | Diagnostic> {
  const text = trimToken(
    await host.prompts.password(`Token for ${name} (hidden; empty: later):`),
  );
  if (text === "") return null;
  const reason = tokenProblem(text, header);
  return reason === null
    ? new Secret(name, text)
    : report("vault/bad-token", { reason });
}

/** Why no token can be stored on this machine; empty when one can. */
export async function noStore(
  host: Host,
  server: Server,
): Promise<readonly Diagnostic[]> {
  // The file may not be there yet. Its place makes no difference to whether there is a keychain.
  const files = { ...host.files, realpath: (path: string) => path };
  const key = vaultKey({ files }, server);
  return key === null ? [] : openVault(host).unready(key);
}

/** A token that was stored for this very server, in a file that is already there. */
export async function storedToken(
  host: Host,
  server: Server,
): Promise<Secret | null> {
  if (host.files.stat(server.origin.at.file) === null) return null;
  const key = vaultKey(host, server);
  return key === null ? null : openVault(host).get(key);
}

/** Stores it once the file stands. */
export async function keepToken(
  host: Host,
  server: Server,
  token: Secret,
): Promise<readonly Diagnostic[]> {
  const key = vaultKey(host, server);
  return key === null ? [] : openVault(host).set(key, token);
}

/** After a server was removed: its token is of no more use, but it is the person's, so they are asked. */
export async function forgetToken(
  host: Host,
  key: VaultKey,
): Promise<readonly Diagnostic[] | "kept" | "deleted"> {
  if (
    !canAsk(host) ||
    !(await host.prompts.confirm(
      `Delete the token of ${key.name} from the keychain as well?`,
    ))
  )
    return "kept";
  const { value, diagnostics } = await openVault(host).delete(key);
  return value === null ? diagnostics : "deleted";
}

/** The key under which the keychain has a token of this server, or null. Asks nobody. */
export async function keptKey(
  host: Host,
  server: Server,
): Promise<VaultKey | null> {
  const key = vaultKey(host, server);
  if (key === null) return null;
  const { value } = await openVault(host).find(key);
  return value === "keychain" ? key : null;
}
