// A keychain that is there and then fails cannot be had from the outside, so it is a small one of the test's own.
import { expect, test } from "vitest";
import type { Keychain } from "../../src/vault/keychain.ts";
import type { VaultKey } from "../../src/vault/key.ts";
import { Secret } from "../../src/vault/secret.ts";
import { openVault } from "../../src/vault/vault.ts";
import { testHost } from "../support/test-host.ts";

const key: VaultKey = {
  name: "linear",
  url: "https://mcp.linear.app/mcp",
  header: "Authorization",
  file: "/p/fenzi.yaml",
  machine: false,
};
const failure = "the keychain said no";
const failing: Keychain = {
  look: async () => "present",
  read: async () => null,
  write: async () => ({ failure }),
  remove: async () => ({ failure }),
};

test("a token that the keychain refuses is not called stored", async () => {
  const vault = openVault(testHost(), failing);
  const problems = await vault.set(key, new Secret("linear", "tok-3b1f9a"));
  expect(problems.map((d) => d.code)).toEqual(["vault/not-stored"]);
  expect(problems[0]?.message).toContain(failure);
});

test("a token that the keychain does not let go is not called deleted", async () => {
  const { value, diagnostics } = await openVault(testHost(), failing).delete(
    key,
  );
  expect(value).toBeNull();
  expect(diagnostics.map((d) => d.code)).toEqual(["vault/not-deleted"]);
});
