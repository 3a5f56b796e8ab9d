// What a token is bound to: nothing of it shows on the command line.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { accountOf, type VaultKey } from "../../src/vault/key.ts";

const key: VaultKey = {
  name: "linear",
  url: "https://mcp.linear.app/mcp",
  header: "Authorization",
  file: "/home/you/p/fenzi.yaml",
  machine: false,
};

describe("an account of the keychain", () => {
  test("is the same only for the same name, URL, header and file", () => {
    const others: readonly VaultKey[] = [
      { ...key, name: "linear2" },
      { ...key, url: "https://mcp.linear.app/mcp/" },
      { ...key, header: "X-Api-Key" },
      { ...key, file: "/home/you/q/fenzi.yaml" },
    ];
    const accounts = [key, ...others].map(accountOf);
    expect(new Set(accounts).size).toBe(accounts.length);
    expect(accountOf({ ...key, header: "authorization" })).toBe(accountOf(key));
  });

  test("cannot be made by moving text from one part to the next", () => {
    const part = fc.string({
      unit: fc.constantFrom("a", " ", '"', ",", "\\", "\n", "/"),
    });
    fc.assert(
      fc.property(
        fc.tuple(part, part, part, part),
        fc.tuple(part, part, part, part),
        (a, b) => {
          const account = ([name, url, header, file]: typeof a) =>
            accountOf({ name, url, header, file, machine: false });
          expect(account(a) === account(b)).toBe(
            JSON.stringify(a) === JSON.stringify(b),
          );
        },
      ),
      { numRuns: 2000 },
    );
  });

  test("fits into every keychain and shows no path", () => {
    const account = accountOf({ ...key, file: `/${"x".repeat(4000)}` });
    expect(account).toMatch(/^linear [0-9a-f]{64}$/);
  });
});
