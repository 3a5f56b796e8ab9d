// Two places name the methods of a policy of tools: what is enforced here, and what `compile --json` tells another
// sandbox to enforce. They must not drift apart.
import { expect, test } from "vitest";
import { main } from "../../src/main.ts";
import { OPEN_METHODS } from "../../src/policy/method-table.ts";
import { testHost } from "../support/test-host.ts";

test("other sandboxes are told the methods that are open here", async () => {
  const host = testHost({
    project: {
      "fenzi.yaml":
        "version: 1\nmcp:\n  a:\n    url: https://a.example/mcp\n    tools: all\n",
    },
  });
  expect(await main(["compile", "--dry-run", "--json"], host)).toBe(0);
  const { policy } = JSON.parse(host.out()) as {
    readonly policy: readonly { readonly methods: readonly string[] }[];
  };
  expect([...(policy[0]?.methods ?? [])].sort()).toEqual(
    [...OPEN_METHODS].sort(),
  );
});
