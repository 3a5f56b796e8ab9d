// Unit tests: what one agent's filter can say of the rules of several layers. The law over all inputs is in
// test/contract.
import { describe, expect, test } from "vitest";
import { loadProject } from "../../src/compile.ts";
import { flattenRules } from "../../src/deliver/flatten-rules.ts";
import type { FilterReach } from "../../src/model/delivered.ts";
import { testHost } from "../support/test-host.ts";

const PATTERNS: FilterReach = {
  allow: "pattern",
  ask: "pattern",
  deny: "pattern",
  kept: null,
};
const EXACT: FilterReach = {
  allow: "exact",
  ask: "exact",
  deny: "exact",
  kept: null,
};
const UNDERSCORED: FilterReach = { ...PATTERNS, kept: /[A-Za-z0-9_-]/ };

function flatten(reach: FilterReach, machine: string, project?: string) {
  const entry = (tools: string, url: string) =>
    `version: 1\nmcp:\n  s: { ${url}tools: ${tools} }\n`;
  const loaded = loadProject(
    testHost({
      machine: entry(machine, "url: 'https://a.example/', "),
      ...(project === undefined
        ? {}
        : { project: { "fenzi.yaml": entry(project, "") } }),
    }),
  );
  const server = loaded.model?.servers[0];
  if (server === undefined) throw new Error(JSON.stringify(loaded.diagnostics));
  const { filter, leftOut } = flattenRules(server, reach);
  const { everything, allow, ask, deny } = filter;
  return {
    everything,
    allow,
    ask,
    deny,
    left: leftOut.map((l) => `${l.effect} ${l.rule.text}`),
  };
}

describe("an agent with patterns", () => {
  test("says everything as it stands", () => {
    expect(
      flatten(
        PATTERNS,
        "{ allow: all, ask: [create_*], deny: [index_*, drop] }",
      ),
    ).toEqual({
      everything: true,
      allow: [],
      ask: ["create_*"],
      deny: ["drop", "index_*"],
      left: [],
    });
  });
  test("keeps patterns that are inside both layers, and no others", () => {
    expect(
      flatten(
        PATTERNS,
        "{ allow: [read_*, write_a] }",
        "{ allow: [read_f*, write_*] }",
      ),
    ).toEqual({
      everything: false,
      allow: ["read_f*", "write_a"],
      ask: [],
      deny: [],
      left: [],
    });
  });
  test("an ask pattern that reaches beyond what is allowed leaves names only", () => {
    expect(flatten(PATTERNS, "{ allow: [read_*, x], ask: ['*_a'] }")).toEqual({
      everything: false,
      allow: ["x"],
      ask: [],
      deny: [],
      left: ["ask *_a"],
    });
  });
  test("a refusing rule in capitals also refuses the plain spelling", () => {
    expect(flatten(PATTERNS, "{ allow: all, deny: [DROP] }").deny).toEqual([
      "DROP",
      "drop",
    ]);
  });
  test("all in the inner layer adds nothing to the outer list", () => {
    expect(flatten(PATTERNS, "{ allow: [a] }", "all")).toMatchObject({
      everything: false,
      allow: ["a"],
    });
  });
});

describe("an agent that knows whole names only", () => {
  test("leaves an allow pattern out", () => {
    expect(flatten(EXACT, "{ allow: [read_*, x], ask: [x] }")).toEqual({
      everything: false,
      allow: [],
      ask: ["x"],
      deny: [],
      left: ["allow read_*"],
    });
  });
  test("under a deny pattern on everything only names are left: none", () => {
    expect(flatten(EXACT, "{ allow: all, deny: [index_*] }")).toEqual({
      everything: false,
      allow: [],
      ask: [],
      deny: [],
      left: ["deny index_*"],
    });
  });
  test("a deny pattern beside names is judged for each name", () => {
    expect(flatten(EXACT, "{ allow: [index_a, b], deny: [index_*] }")).toEqual({
      everything: false,
      allow: ["b"],
      ask: [],
      deny: [],
      left: [],
    });
  });
  test("everything but one name", () => {
    expect(flatten(EXACT, "{ allow: all, deny: [drop], ask: [make] }")).toEqual(
      {
        everything: true,
        allow: [],
        ask: ["make"],
        deny: ["drop"],
        left: [],
      },
    );
  });
});

describe("an agent that writes `_` for other characters", () => {
  test("an allowed and a refused name that meet are refused", () => {
    expect(flatten(UNDERSCORED, "{ allow: [a.b, c.d], deny: [a_b] }")).toEqual({
      everything: false,
      allow: ["c.d"],
      ask: [],
      deny: ["a_b"],
      left: ["allow a.b"],
    });
  });
  test("an allowed and an asked name that meet are asked", () => {
    expect(
      flatten(UNDERSCORED, "{ allow: [a.b, a_b], ask: [a_b] }"),
    ).toMatchObject({ allow: [], ask: ["a.b", "a_b"] });
  });
  test("a refusing pattern is laid on the spelled names", () => {
    expect(
      flatten(UNDERSCORED, "{ allow: [a_x, b], deny: [a.*] }"),
    ).toMatchObject({ allow: ["b"], left: ["allow a_x"] });
  });
  test("an allow pattern with a dot would cover more", () => {
    expect(flatten(UNDERSCORED, "{ allow: [fs.*, x] }")).toMatchObject({
      allow: ["x"],
      left: ["allow fs.*"],
    });
  });
});
