// The token of a server that is being added: asked for at once on a terminal, or found where it was stored before.
import { report } from "../diagnostics/catalog.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { Host } from "../host/host.ts";
import type { Server } from "../model/model.ts";
import { vaultKey } from "../vault/key.ts";
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
