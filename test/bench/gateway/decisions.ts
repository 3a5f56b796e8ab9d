// How many decisions are taken in a second, for exact names and for patterns. Sends what it counted.
import { loadProject } from "../../../src/compile.ts";
import { decide, preparePolicy } from "../../../src/policy/decide.ts";
import { testHost } from "../../support/test-host.ts";

const exact = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, i) => `get_thing_${i}`);
const patterns = Array.from({ length: 100 }, (_, i) => `get_*_of_kind_${i}_*`);

const policies = {
  exact10: { rules: exact(10), names: exact(20) },
  exact1000: { rules: exact(1_000), names: exact(2_000) },
  patterns100: {
    rules: patterns,
    names: Array.from(
      { length: 200 },
      (_, i) => `get_file_of_kind_${i}_${i * 7}`,
    ),
  },
};

const rounds: Record<string, number[]> = {};
for (let round = -2; round < 9; round++)
  for (const [kind, { rules, names }] of Object.entries(policies)) {
    const policy = policyOf(rules);
    let allowed = 0;
    let count = 0;
    const start = performance.now();
    while (performance.now() - start < 50)
      for (let i = 0; i < 1_000; i++, count++)
        if (
          decide(policy, { tool: names[count % names.length] ?? "" }).effect ===
          "allow"
        )
          allowed++;
    const took = performance.now() - start;
    if (allowed === 0 || allowed === count) throw new Error("half are allowed");
    if (round >= 0) (rounds[kind] ??= []).push((count / took) * 1000);
  }
process.send?.(rounds);

function policyOf(allow: readonly string[]) {
  const host = testHost({
    project: {
      "fenzi.yaml": JSON.stringify({
        version: 1,
        mcp: {
          demo: { url: "https://demo.example/mcp", tools: { allow } },
        },
      }),
    },
  });
  const server = loadProject(host).model?.servers[0];
  if (server === undefined) throw new Error("no server");
  return preparePolicy(server, "off");
}
