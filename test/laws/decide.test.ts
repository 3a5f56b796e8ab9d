// The decision is total, gives a reason for everything, and is what a second, plain reading of the rules says.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { foldName } from "../../src/match/tool-pattern.ts";
import type {
  Allow,
  LayerName,
  Origin,
  Server,
  ToolRule,
} from "../../src/model/model.ts";
import {
  decide,
  NO_COMMON_RULES,
  preparePolicy,
  type Effect,
} from "../../src/policy/decide.ts";
import {
  DEFAULT_LIMITS,
  NO_ARGUMENT_RULES,
} from "../support/default-limits.ts";
import { rule } from "../support/random-layers.ts";

const RUNS = Number(process.env["LAW_RUNS"] ?? 10_000);

const start = { line: 1, column: 1, offset: 0 };
const origin = (layer: LayerName): Origin => ({
  layer,
  at: { file: `/${layer}.yaml`, start, end: start },
});

const anyText = fc.oneof(
  { weight: 4, arbitrary: rule },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 12 }) },
);
const rules = (layer: LayerName): fc.Arbitrary<readonly ToolRule[]> =>
  fc
    .array(anyText, { maxLength: 3 })
    .map((texts) => texts.map((text) => ({ text, origin: origin(layer) })));
const allow = (layer: LayerName): fc.Arbitrary<Allow> =>
  fc.oneof(
    fc.constant({ kind: "silent" as const }),
    fc.constant({ kind: "all" as const, origin: origin(layer) }),
    rules(layer).map((list) => ({
      kind: "only" as const,
      rules: list,
      origin: origin(layer),
    })),
  );
const toolLayer = (layer: LayerName) =>
  fc.record({
    layer: fc.constant(layer),
    allow: allow(layer),
    ask: rules(layer),
    deny: rules(layer),
  });

/** Also such as no merge makes: without layers, or with layers that say nothing. */
const server: fc.Arbitrary<Server> = fc
  .record({
    enabled: fc.constantFrom(true, true, true, false),
    loopback: fc.boolean(),
    tools: fc
      .tuple(
        fc.option(toolLayer("machine"), { nil: null }),
        fc.option(toolLayer("root"), { nil: null }),
        fc.option(toolLayer("project"), { nil: null }),
      )
      .map((layers) => layers.filter((layer) => layer !== null)),
  })
  .map(({ enabled, loopback, tools }) => ({
    name: "some",
    origin: origin("machine"),
    transport: {
      kind: "http",
      url: "https://some.example/",
      scheme: "https",
      host: "some.example",
      port: 443,
      path: "/",
      loopback,
      socket: null,
      systemSocket: false,
      headers: [],
      token: { kind: "none" },
      origin: origin("machine"),
    },
    enabled: { value: enabled, origin: origin("machine") },
    tools,
    limits: DEFAULT_LIMITS,
    ...NO_ARGUMENT_RULES,
    narrowedBy: [],
  }));

const airGap = fc.constantFrom("off" as const, {
  value: true,
  origin: origin("project"),
});

/** A server and a name near its rules: as one of them, filled in, in other letters, or any other text. */
const serverAndTool = server.chain((server) => {
  const texts = server.tools.flatMap(({ allow, ask, deny }) =>
    [...(allow.kind === "only" ? allow.rules : []), ...ask, ...deny].map(
      (r) => r.text,
    ),
  );
  const near = fc
    .tuple(fc.constantFrom("get", ...texts), rule)
    .map(([text, name]) => text.replaceAll("*", name));
  const tool = fc.oneof(
    { weight: 4, arbitrary: near },
    { weight: 1, arbitrary: near.map((name) => name.toUpperCase()) },
    { weight: 1, arbitrary: near.map((name) => name.toLowerCase()) },
    { weight: 2, arbitrary: anyText },
  );
  return fc.tuple(fc.constant(server), tool);
});

test("every call gets an effect and a reason with its place", () => {
  fc.assert(
    fc.property(serverAndTool, airGap, ([server, tool], airGap) => {
      const { effect, reasons } = decide(
        preparePolicy(server, { ...NO_COMMON_RULES, airGap }),
        {
          tool,
        },
      );
      expect(["allow", "ask", "deny"]).toContain(effect);
      expect(reasons.length).toBeGreaterThan(0);
      for (const { rule, message, origin } of reasons) {
        expect(rule).toMatch(/^(tools\.(allow|ask|deny)|enabled|airGap)$/);
        expect(message).not.toBe("");
        expect(origin.at.file).toMatch(/\.yaml$/);
      }
    }),
    { numRuns: RUNS },
  );
});

test("the decision is what a plain reading of the rules says", () => {
  fc.assert(
    fc.property(serverAndTool, airGap, ([server, tool], airGap) => {
      expect(
        decide(preparePolicy(server, { ...NO_COMMON_RULES, airGap }), { tool })
          .effect,
      ).toBe(plainly(server, airGap !== "off", tool));
    }),
    { numRuns: RUNS },
  );
});

test("a call of any length is decided at once", () => {
  const list = (texts: readonly string[]) =>
    texts.map((text) => ({ text, origin: origin("machine") }));
  const hard = list(["*a*a*a*a*a*a*a*b", `${"*a".repeat(40)}*c`]);
  const [some] = fc.sample(server, 1);
  if (some === undefined) throw new Error("no server");
  const policy = preparePolicy(
    {
      ...some,
      tools: [
        {
          layer: "machine",
          allow: { kind: "all", origin: origin("machine") },
          ask: hard,
          deny: hard,
        },
      ],
    },
    NO_COMMON_RULES,
  );
  const before = performance.now();
  decide(policy, { tool: "a".repeat(20_000) });
  expect(performance.now() - before).toBeLessThan(2000);
});

/** The rules of DESIGN section 2 and 3 in other words: regular expressions, and one question after the other. */
function plainly(server: Server, airGap: boolean, tool: string): Effect {
  const transport = server.transport;
  if (!server.enabled.value) return "deny";
  if (airGap && transport.kind === "http" && !transport.loopback) return "deny";
  const refused = (list: readonly ToolRule[]) =>
    list.some(
      ({ text }) =>
        matches(text, tool) || matches(foldName(text), foldName(tool)),
    );
  const plain = /^[A-Za-z0-9_.-]{1,128}$/.test(tool);
  const allows = (allow: Allow) =>
    allow.kind === "all"
      ? plain
      : allow.kind === "only" &&
        allow.rules.some(({ text }) =>
          text.includes("*") ? plain && matches(text, tool) : text === tool,
        );
  const limits = server.tools
    .map(({ allow }) => allow)
    .filter(
      ({ kind }, i, all) =>
        kind === "only" ||
        (kind === "all" && all.slice(0, i).every((a) => a.kind === "silent")),
    );
  if (server.tools.some(({ deny }) => refused(deny))) return "deny";
  if (limits.length === 0 || !limits.every(allows)) return "deny";
  return server.tools.some(({ ask }) => refused(ask)) ? "ask" : "allow";
}

const matches = (rule: string, name: string): boolean =>
  new RegExp(
    `^${rule
      .split("*")
      .map((part) => part.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&"))
      .join("[^]*")}$`,
  ).test(name);

test("a pattern covers names of plain characters only", () => {
  const [any] = fc.sample(server, { numRuns: 1, seed: 1 });
  if (any === undefined) throw new Error("no server");
  const at = origin("machine");
  const layer = {
    layer: "machine",
    allow: { kind: "only", rules: [{ text: "get*", origin: at }], origin: at },
    ask: [],
    deny: [],
  } as const;
  const policy = preparePolicy(
    { ...any, enabled: { value: true, origin: at }, tools: [layer] },
    NO_COMMON_RULES,
  );
  const names = ["get_issue", "get issue", "get\u200bissue", "getß"];
  expect(names.map((tool) => decide(policy, { tool }).effect)).toEqual([
    "allow",
    "deny",
    "deny",
    "deny",
  ]);
});
