// Where tokens lie: in CI in a variable, otherwise in the keychain of the operating system. A token is found only under
// the very key it was stored for. Nothing here asks a person, but that storing may make the keychain ask.
import { report } from "../diagnostics/catalog.ts";
import type { Diagnostic, Result } from "../diagnostics/diagnostic.ts";
import type { Host } from "../host/host.ts";
import { vaultVariable } from "../match/server-name.ts";
import { fromEnvironment } from "./environment.ts";
import { isFailure, openKeychain, type Keychain } from "./keychain.ts";
import { accountOf, type VaultKey } from "./key.ts";
import { readBack } from "./read-back.ts";
import { Secret } from "./secret.ts";

export type Store = "environment" | "keychain";

export interface Vault {
  /** Which store has a token, found without reading it from the keychain. Null: none. */
  find(key: VaultKey): Promise<Result<Store>>;
  /** The token. Null when there is none, or when the keychain would first have to be unlocked. */
  get(key: VaultKey): Promise<Secret | null>;
  /** Why `set` could not store anything; nothing is asked or written. */
  unready(key: VaultKey): Promise<readonly Diagnostic[]>;
  /** Stores a token in the keychain. Without an error a second process has read it back. */
  set(key: VaultKey, secret: Secret): Promise<readonly Diagnostic[]>;
  /** Takes the token out of the keychain. False when there was none. */
  delete(key: VaultKey): Promise<Result<boolean>>;
}

export function openVault(
  host: Host,
  keychain: Keychain = openKeychain(host),
): Vault {
  const unready = async (key: VaultKey): Promise<readonly Diagnostic[]> => {
    const state = await keychain.look(accountOf(key));
    return isFailure(state) ? [noKeychain(key, state.failure)] : [];
  };
  return {
    async find(key) {
      const given = fromEnvironment(host.env, key);
      if (given.secret !== null)
        return { value: "environment", diagnostics: given.diagnostics };
      const state = await keychain.look(accountOf(key));
      const stored = state === "present" || state === "locked";
      return {
        value: stored ? "keychain" : null,
        diagnostics: given.diagnostics,
      };
    },
    async get(key) {
      const { secret } = fromEnvironment(host.env, key);
      if (secret !== null) return secret;
      const account = accountOf(key);
      if ((await keychain.look(account)) !== "present") return null;
      const text = await keychain.read(account);
      return text === null || isFailure(text)
        ? null
        : new Secret(key.name, text);
    },
    unready,
    async set(key, secret) {
      const account = accountOf(key);
      const problems = await unready(key);
      if (problems.length > 0) return problems;
      const written = await keychain.write(account, secret.reveal());
      const reason = isFailure(written)
        ? written.failure
        : await readBack(host, account, secret);
      if (reason === null) return [];
      await takeBack(keychain, account, secret);
      return [
        report("vault/not-stored", { reason }, { help: variableHelp(key) }),
      ];
    },
    async delete(key) {
      const account = accountOf(key);
      const state = await keychain.look(account);
      if (isFailure(state))
        return { value: null, diagnostics: [noKeychain(key, state.failure)] };
      if (state === "absent") return { value: false, diagnostics: [] };
      const removed = await keychain.remove(account);
      return isFailure(removed)
        ? {
            value: null,
            diagnostics: [
              report("vault/not-deleted", { reason: removed.failure }),
            ],
          }
        : { value: removed, diagnostics: [] };
    },
  };
}

/** A store that failed may still have kept what was written. An older token that is still there is not touched. */
async function takeBack(
  keychain: Keychain,
  account: string,
  secret: Secret,
): Promise<void> {
  if ((await keychain.look(account)) !== "present") return;
  if ((await keychain.read(account)) === secret.reveal())
    await keychain.remove(account);
}

const noKeychain = (key: VaultKey, reason: string): Diagnostic =>
  report("vault/no-keychain", { reason }, { help: variableHelp(key) });

function variableHelp(key: VaultKey): string {
  const variable = vaultVariable(key.name);
  const url = key.machine ? "" : ` and \`${variable}_URL=${key.url}\``;
  return `without a keychain set \`${variable}\` to the token${url}; nothing was stored`;
}
