// Unit tests of the reasons; what must hold for all inputs is in test/laws.
import { expect, test } from "vitest";
import { loadProject } from "../../src/compile.ts";
import { decide, preparePolicy } from "../../src/policy/decide.ts";
import { testHost } from "../support/test-host.ts";

function decideIn(machine: string, project: string, tool: string) {
  const loaded = loadProject(
    testHost({
      machine: `version: 1\n${machine}`,
      project: { "fenzi.yaml": `version: 1\n${project}` },
    }),
  );
  const server = loaded.model?.servers[0];
  if (loaded.model === null || server === undefined)
    throw new Error(JSON.stringify(loaded.diagnostics));
  return decide(preparePolicy(server, loaded.model), { tool });
}
const brief = (d: ReturnType<typeof decide>) => [
  d.effect,
  ...d.reasons.map(
    (r) => `${r.rule}@${r.origin.layer}:${r.origin.at.start.line}`,
  ),
];

const MACHINE = `mcp:
  gh:
    url: https://a.example/mcp
    tools: { allow: [get_*, create_issue], ask: [create_*], deny: ["*_admin"] }
`;

test.each([
  [
    "both layers allow",
    "get_x",
    ["allow", "tools.allow@machine:5", "tools.allow@project:4"],
  ],
  ["the machine asks", "create_issue", ["ask", "tools.ask@machine:5"]],
  ["the project does not list it", "get_y", ["deny", "tools.allow@project:4"]],
  [
    "nobody lists it",
    "drop",
    ["deny", "tools.allow@machine:5", "tools.allow@project:4"],
  ],
  [
    "the machine denies it in another case",
    "get_ADMIN",
    ["deny", "tools.deny@machine:5", "tools.allow@project:4"],
  ],
])("%s", (_why, tool, wanted) => {
  expect(
    brief(
      decideIn(
        MACHINE,
        "mcp:\n  gh:\n    tools: { allow: [get_x, create_issue] }\n",
        tool,
      ),
    ),
  ).toEqual(wanted);
});

test("a local server without a list has all plain names", () => {
  const project = "mcp:\n  fs: { command: [x] }\n";
  expect(brief(decideIn("", project, "anything.goes"))).toEqual([
    "allow",
    "tools.allow@project:3",
  ]);
  expect(brief(decideIn("", project, "not\u200bplain"))).toEqual([
    "deny",
    "tools.allow@project:3",
  ]);
});

test("a server that is off refuses everything and says where", () => {
  expect(
    brief(decideIn(MACHINE, "mcp: { gh: { enabled: false } }\n", "get_x")),
  ).toEqual(["deny", "enabled@project:2"]);
});

test("the air gap shuts remote servers, not local ones", () => {
  expect(brief(decideIn(`${MACHINE}airGap: true\n`, "", "get_x"))).toEqual([
    "deny",
    "airGap@machine:6",
  ]);
  expect(
    decideIn(
      "airGap: true\n",
      "mcp:\n  fs: { url: 'http://localhost:1/', tools: all }\n",
      "x",
    ).effect,
  ).toBe("allow");
});
