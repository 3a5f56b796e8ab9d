// Which variables count for which server: a table, below the command line's cases, which show one row each.
import { describe, expect, test } from "vitest";
import {
  fromEnvironment,
  vaultVariables,
} from "../../src/vault/environment.ts";
import type { VaultKey } from "../../src/vault/key.ts";

const URL = "https://mcp.linear.app/mcp";
const project: VaultKey = {
  name: "my-linear",
  url: URL,
  header: "Authorization",
  file: "/p/fenzi.yaml",
  machine: false,
};
const machine: VaultKey = { ...project, machine: true };

describe("a token in the environment", () => {
  test.each<
    [string, VaultKey, Record<string, string>, "used" | "ignored" | "absent"]
  >([
    ["project, no variable", project, {}, "absent"],
    [
      "project, empty variable",
      project,
      { FENZI_VAULT_MY_LINEAR: "", FENZI_VAULT_MY_LINEAR_URL: URL },
      "absent",
    ],
    ["project, no URL", project, { FENZI_VAULT_MY_LINEAR: "t" }, "ignored"],
    [
      "project, its URL",
      project,
      { FENZI_VAULT_MY_LINEAR: "t", FENZI_VAULT_MY_LINEAR_URL: URL },
      "used",
    ],
    [
      "project, its URL in another spelling",
      project,
      {
        FENZI_VAULT_MY_LINEAR: "t",
        FENZI_VAULT_MY_LINEAR_URL: "HTTPS://MCP.linear.app:443/mcp",
      },
      "used",
    ],
    [
      "project, another path",
      project,
      { FENZI_VAULT_MY_LINEAR: "t", FENZI_VAULT_MY_LINEAR_URL: `${URL}/` },
      "ignored",
    ],
    [
      "project, another host",
      project,
      {
        FENZI_VAULT_MY_LINEAR: "t",
        FENZI_VAULT_MY_LINEAR_URL: "https://evil.example/mcp",
      },
      "ignored",
    ],
    [
      "project, no URL at all",
      project,
      { FENZI_VAULT_MY_LINEAR: "t", FENZI_VAULT_MY_LINEAR_URL: "yes" },
      "ignored",
    ],
    ["machine, no URL", machine, { FENZI_VAULT_MY_LINEAR: "t" }, "used"],
    [
      "machine, its URL",
      machine,
      { FENZI_VAULT_MY_LINEAR: "t", FENZI_VAULT_MY_LINEAR_URL: URL },
      "used",
    ],
    [
      "machine, another URL",
      machine,
      {
        FENZI_VAULT_MY_LINEAR: "t",
        FENZI_VAULT_MY_LINEAR_URL: "https://b.example/",
      },
      "ignored",
    ],
    [
      "machine, the URL of a server named my",
      { ...machine, name: "my-url" },
      { FENZI_VAULT_MY: "t", FENZI_VAULT_MY_URL: URL },
      "ignored",
    ],
    [
      "machine, a token no header can hold",
      machine,
      { FENZI_VAULT_MY_LINEAR: "a b" },
      "ignored",
    ],
    [
      "machine, a token with a line break behind it",
      machine,
      { FENZI_VAULT_MY_LINEAR: "t\n" },
      "used",
    ],
    [
      "machine, another server's variable",
      machine,
      { FENZI_VAULT_MYLINEAR: "t" },
      "absent",
    ],
  ])("%s", (_, key, env, outcome) => {
    const given = fromEnvironment(env, key);
    expect(given.secret?.reveal() ?? null).toBe(
      outcome === "used" ? "t" : null,
    );
    expect(given.diagnostics.map((d) => d.code)).toEqual(
      outcome === "ignored" ? ["vault/variable-ignored"] : [],
    );
  });

  test("is never shown, nor what is in the variable beside it", () => {
    const env = {
      FENZI_VAULT_MY_LINEAR: "tok-1",
      FENZI_VAULT_MY_LINEAR_URL: "tok-2",
    };
    const shown = JSON.stringify(fromEnvironment(env, project));
    expect(shown).not.toContain("tok-");
    const found = fromEnvironment({ FENZI_VAULT_MY_LINEAR: "tok-1" }, machine);
    expect(JSON.stringify(found)).toContain("[secret my-linear]");
  });

  test("all variables of the vault are known by name", () => {
    expect(
      vaultVariables({
        FENZI_VAULT_A: "x",
        FENZI_VAULT_A_URL: "y",
        FENZI_MCP_A: "z",
        PATH: "/",
      }),
    ).toEqual(["FENZI_VAULT_A", "FENZI_VAULT_A_URL"]);
  });
});
