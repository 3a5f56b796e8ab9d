// The vault's contract over the variables of CI. The keychain's turn is `npm run test:keychain`.
import { testHost } from "../support/test-host.ts";
import type { VaultKey } from "../../src/vault/key.ts";
import { openVault } from "../../src/vault/vault.ts";
import { vaultContract } from "./vault-contract.ts";

const TOKEN = "tok-3b1f9a";
const key: VaultKey = {
  name: "linear",
  url: "https://mcp.linear.app/mcp",
  header: "Authorization",
  file: "/p/fenzi.yaml",
  machine: false,
};

vaultContract("a project's server, from the environment", async () => ({
  vault: openVault(
    testHost({
      env: { FENZI_VAULT_LINEAR: TOKEN, FENZI_VAULT_LINEAR_URL: key.url },
    }),
  ),
  key,
  token: TOKEN,
  store: "environment",
  others: {
    "another name": { ...key, name: "linear2" },
    "another URL": { ...key, url: "https://mcp.linear.app/other" },
  },
}));

vaultContract("the machine's server, from the environment", async () => ({
  vault: openVault(testHost({ env: { FENZI_VAULT_LINEAR: TOKEN } })),
  key: { ...key, machine: true },
  token: TOKEN,
  store: "environment",
  others: {
    "another name": { ...key, name: "linear2", machine: true },
    "a project's server": key,
  },
}));
