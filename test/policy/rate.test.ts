// Rates through the road of a door, with a clock that the test moves.
import { expect, test } from "vitest";
import { loadProject } from "../../src/compile.ts";
import { createRoad, policyOf, putInForce } from "../../src/enforce/road.ts";
import { tightenPolicy } from "../../src/policy/decide.ts";
import { brief, call, NO_FACTS, send } from "../support/enforce-case.ts";
import { testHost } from "../support/test-host.ts";

function policyWith(rate: string | null) {
  const { model } = loadProject(
    testHost({
      project: {
        "fenzi.yaml": `version: 1
mcp:
  demo:
    url: https://demo.example/mcp
    tools: { allow: [read_file] }
${rate === null ? "" : `    limits: { rate: ${rate} }`}
`,
      },
    }),
  );
  const server = model?.servers[0];
  if (model === null || server === undefined) throw new Error("no server");
  return policyOf(server, model);
}

function roadWith(rate: string | null) {
  const clock = { now: 1_000 };
  const road = createRoad({
    policy: policyWith(rate),
    secrets: [],
    facts: { ...NO_FACTS, now: () => clock.now },
    pins: { pins: [], sha256: () => "" },
  });
  const ask = () => brief(send(road, call("read_file")));
  return { clock, road, ask };
}

const REFUSED = "403 4030 limits.rate";

test("so many calls in any window are let through, and then the next", () => {
  const { clock, ask } = roadWith("3/s");
  expect([ask(), ask()]).toEqual(["forward", "forward"]);
  clock.now += 600;
  expect([ask(), ask()]).toEqual(["forward", REFUSED]);
  clock.now += 399;
  expect(ask()).toBe(REFUSED);
  clock.now += 1;
  expect([ask(), ask(), ask()]).toEqual(["forward", "forward", REFUSED]);
  clock.now += 600;
  expect([ask(), ask()]).toEqual(["forward", REFUSED]);
});

test("a refused call does not count", () => {
  const { clock, road, ask } = roadWith("2/min");
  for (let i = 0; i < 50; i++) send(road, call("drop_all"));
  expect([ask(), ask(), ask()]).toEqual(["forward", "forward", REFUSED]);
  clock.now += 60_000;
  expect(ask()).toBe("forward");
});

test("the refusal says what is allowed, and that waiting helps", () => {
  const { road, ask } = roadWith("1/h");
  ask();
  const verdict = send(road, call("read_file"));
  if (verdict.kind !== "answer") throw new Error(verdict.kind);
  expect(verdict.answer.body).toContain("allowed: 1/h");
  expect(verdict.answer.body).toContain("Wait");
});

test("every rate in force holds, and an edit adds one to the calls that were made", () => {
  const { clock, road, ask } = roadWith("5/min");
  ask();
  putInForce(road, {
    policy: tightenPolicy(road.policy, policyWith("2/s")),
    pins: road.pins,
  });
  expect([ask(), ask()]).toEqual(["forward", REFUSED]);
  clock.now += 1_000;
  expect([ask(), ask(), ask()]).toEqual(["forward", "forward", REFUSED]);
  clock.now += 1_000;
  expect([ask(), ask()]).toEqual(["forward", REFUSED]);
});

test("the largest rate is counted as well", () => {
  const { ask } = roadWith("10000/h");
  for (let i = 0; i < 10_000; i++) ask();
  expect(ask()).toBe(REFUSED);
});

test("without a rate nothing is counted", () => {
  const { road, ask } = roadWith(null);
  for (let i = 0; i < 100; i++) expect(ask()).toBe("forward");
  expect(road.calls.before(1)).toBe(-Infinity);
});
