// The keychain's trial is no part of `npm test`: it needs a session bus and a keychain program. See `keychain-run.mjs`.
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: { include: ["test/vault/keychain-trial.ts"], testTimeout: 60_000 },
});
