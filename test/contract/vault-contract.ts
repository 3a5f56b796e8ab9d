// What holds for every place that tokens come from. Run over the environment by `vault.test.ts`, over the keychain of the
// operating system by `test/vault/keychain-trial.ts`.
import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import type { VaultKey } from "../../src/vault/key.ts";
import type { Store, Vault } from "../../src/vault/vault.ts";

/** A vault that holds `token` for `key`, and nothing else. */
export interface HoldingVault {
  readonly vault: Vault;
  readonly key: VaultKey;
  readonly token: string;
  readonly store: Store;
  /** Keys that differ from `key` in one thing that this place is bound to. */
  readonly others: Readonly<Record<string, VaultKey>>;
}

export function vaultContract(
  name: string,
  prepare: () => Promise<HoldingVault>,
): void {
  describe(name, () => {
    test("has the token for its key, and says where", async () => {
      const { vault, key, token, store } = await prepare();
      expect((await vault.get(key))?.reveal()).toBe(token);
      expect((await vault.find(key)).value).toBe(store);
    });

    test("has none for another key", async () => {
      const { vault, others } = await prepare();
      expect(Object.keys(others).length).toBeGreaterThan(0);
      for (const [what, other] of Object.entries(others)) {
        expect(await vault.get(other), what).toBeNull();
        expect((await vault.find(other)).value, what).toBeNull();
      }
    });

    test("never shows the token", async () => {
      const { vault, key, token } = await prepare();
      const secret = await vault.get(key);
      const shown = [
        String(secret),
        JSON.stringify({ secret }),
        inspect(secret, { depth: 9, showHidden: true }),
        inspect(await vault.find(key), { depth: 9 }),
      ];
      for (const text of shown) expect(text).not.toContain(token);
      expect(String(secret)).toBe(`[secret ${key.name}]`);
    });
  });
}
