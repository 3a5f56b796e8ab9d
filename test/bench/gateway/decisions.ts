// How many decisions are taken in a second of processor time, for exact names and for patterns. Sends what it counted.
import { loadProject } from "../../../src/compile.ts";
import {
  decide,
  NO_COMMON_RULES,
  preparePolicy,
} from "../../../src/policy/decide.ts";
import { testHost } from "../../support/test-host.ts";

const ROUNDS = 15;
const WARM_UP = 3;
const COUNT = 50_000;

const names = (count: number, start: string): readonly string[] =>
  Array.from({ length: count }, (_, i) => `${start}_${i}`);

/** Half of the names are allowed. */
const kinds = {
  exact10: { allow: names(10, "get_thing"), asked: names(20, "get_thing") },
  exact1000: {
    allow: names(1_000, "get_thing"),
    asked: names(2_000, "get_thing"),
  },
  patterns100: {
    allow: names(100, "get_*_of_kind").map((name) => `${name}_*`),
    asked: names(200, "get_file_of_kind").map((name, i) => `${name}_${i * 7}`),
  },
};

const measured = Object.entries(kinds).map(([kind, { allow, asked }]) => ({
  kind,
  policy: policyOf(allow),
  asked,
  perSecond: [] as number[],
}));
for (let round = -WARM_UP; round < ROUNDS; round++)
  for (const { policy, asked, perSecond } of measured) {
    let allowed = 0;
    const start = process.cpuUsage();
    for (let i = 0; i < COUNT; i++) {
      const tool = asked[i % asked.length] ?? "";
      if (decide(policy, { tool }).effect === "allow") allowed++;
    }
    const { user, system } = process.cpuUsage(start);
    if (allowed !== COUNT / 2) throw new Error(`${allowed} are allowed`);
    if (round >= 0) perSecond.push(COUNT / ((user + system) / 1e6));
  }
process.send?.(
  Object.fromEntries(measured.map(({ kind, perSecond }) => [kind, perSecond])),
);

function policyOf(allow: readonly string[]) {
  const host = testHost({
    project: {
      "fenzi.yaml": JSON.stringify({
        version: 1,
        mcp: { demo: { url: "https://demo.example/mcp", tools: { allow } } },
      }),
    },
  });
  const server = loadProject(host).model?.servers[0];
  if (server === undefined) throw new Error("no server");
  return preparePolicy(server, NO_COMMON_RULES);
}
