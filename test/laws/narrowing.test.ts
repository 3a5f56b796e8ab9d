// The promise: what an inner file says about an outer server, and every line that only narrows, never loosens.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { globsMeet, isPattern } from "../../src/match/tool-pattern.ts";
import type { Model, Server } from "../../src/model/model.ts";
import {
  decide,
  NO_COMMON_RULES,
  preparePolicy,
} from "../../src/policy/decide.ts";
import {
  makeDocuments,
  mergeDocuments,
  policyIn,
  readDocuments,
} from "../support/merge-data.ts";
import {
  layersAndCalls,
  rule,
  type FileData,
  type Layered,
} from "../support/random-layers.ts";

const RUNS = Number(process.env["LAW_RUNS"] ?? 10_000);
const RANK = { allow: 0, ask: 1, deny: 2 };

/** The first call for which `after` is looser than `before`, for servers that `before` has. */
function loosened(
  before: Model,
  after: Model,
  calls: readonly string[],
): string | null {
  for (const { name } of before.servers) {
    // Made ready once for all calls: that takes longer than a decision.
    const [was, is] = [policyIn(before, name), policyIn(after, name)];
    if (was === null || is === null) return `${name} is gone`;
    for (const tool of calls) {
      const [a, b] = [was, is].map((p) => decide(p, { tool }).effect);
      if (a === undefined || b === undefined || RANK[b] < RANK[a])
        return `${tool} of ${name}: ${a} → ${b}`;
    }
  }
  return null;
}

test("the merged files are at least as strict as the outer ones alone", () => {
  let merged = 0;
  let crossing = 0;
  fc.assert(
    fc.property(layersAndCalls, ({ layers, calls }) => {
      const documents = makeDocuments(layers);
      const whole = mergeDocuments(documents);
      if (whole === null) return;
      merged++;
      if (whole.servers.some((server) => crosses(server, calls))) crossing++;
      for (const outermost of [1, 2]) {
        const outer = mergeDocuments(documents.slice(0, outermost));
        expect(outer).not.toBeNull();
        if (outer !== null) expect(loosened(outer, whole, calls)).toBeNull();
      }
    }),
    { numRuns: RUNS },
  );
  expect(merged).toBe(RUNS);
  // Without such runs the law could hold because layers never disagree.
  expect(crossing / RUNS).toBeGreaterThanOrEqual(1 / 5);
});

/** Two layers have patterns that meet, and one allows a call that the other refuses. */
function crosses(server: Server, calls: readonly string[]): boolean {
  const listing = server.tools.filter(({ allow }) => allow.kind === "only");
  const alone = listing.map((layer) =>
    preparePolicy({ ...server, tools: [layer] }, NO_COMMON_RULES),
  );
  const patterns = listing.map(({ allow }) =>
    allow.kind === "only"
      ? allow.rules.map((r) => r.text).filter(isPattern)
      : [],
  );
  return listing.some((_, i) =>
    listing.some(
      (_, j) =>
        i < j &&
        patterns[i]?.some((p) => patterns[j]?.some((q) => globsMeet(p, q))) ===
          true &&
        calls.some((tool) => {
          const [a, b] = [alone[i], alone[j]];
          if (a === undefined || b === undefined) return false;
          const refuses = [a, b].map((p) => decide(p, { tool }).effect);
          return refuses.includes("deny") && refuses.includes("allow");
        }),
    ),
  );
}

/** Adds one line that only narrows, to one layer. */
const narrowed = (layers: Layered): fc.Arbitrary<Layered> =>
  fc
    .record({
      at: fc.nat({ max: layers.length - 1 }),
      server: fc.nat(),
      rule,
      line: fc.constantFrom(
        "ask",
        "deny",
        "disable",
        "airGap",
        "allow",
        "fewer",
      ),
    })
    .map(({ at, server, rule, line }) =>
      layers.map(({ layer, data }, i) => ({
        layer,
        data: i === at ? narrow(data, server, rule, line) : data,
      })),
    );

function narrow(
  data: FileData,
  pick: number,
  rule: string,
  line: string,
): FileData {
  if (line === "airGap") return { ...data, airGap: true };
  const names = Object.keys(data.mcp);
  const name = names[pick % names.length] ?? "";
  const entry = data.mcp[name];
  if (entry === undefined) return data;
  const { tools } = entry;
  const change = (more: typeof entry) => ({
    ...data,
    mcp: { ...data.mcp, [name]: { ...entry, ...more } },
  });
  if (line === "disable") return change({ enabled: false });
  if (line === "ask" || line === "deny")
    return change({
      tools: { ...tools, [line]: [...(tools?.[line] ?? []), rule] },
    });
  const listed = tools?.allow;
  if (line === "fewer")
    return Array.isArray(listed)
      ? change({ tools: { ...tools, allow: listed.slice(1) } })
      : data;
  // Where a server is defined, no list means none (remote) or all plain names (local), as `all` does: there a first
  // list is a narrowing only of the latter, and only when it holds none but plain names.
  const defines = entry.url !== undefined || entry.command !== undefined;
  const narrows = defines
    ? (listed === "all" ||
        (listed === undefined && entry.command !== undefined)) &&
      /^[A-Za-z0-9_.*-]+$/.test(rule)
    : !Array.isArray(listed);
  return narrows ? change({ tools: { ...tools, allow: [rule] } }) : data;
}

test("a line that only narrows never loosens", () => {
  fc.assert(
    fc.property(
      layersAndCalls.chain(({ layers, calls }) =>
        narrowed(layers).map((after) => ({ layers, after, calls })),
      ),
      ({ layers, after, calls }) => {
        const before = mergeDocuments(makeDocuments(layers));
        const now = mergeDocuments(makeDocuments(after));
        if (before === null || now === null) return;
        expect(loosened(before, now, calls)).toBeNull();
      },
    ),
    { numRuns: RUNS },
  );
});

test("a file that says nothing changes nothing", () => {
  const silent: FileData = { version: 1, mcp: {} };
  fc.assert(
    fc.property(layersAndCalls, ({ layers, calls }) => {
      const [machine, root] = layers;
      if (machine === undefined || root === undefined) return;
      const without = mergeDocuments(makeDocuments([machine, root]));
      const beside = mergeDocuments(
        makeDocuments([machine, root, { layer: "project", data: silent }]),
      );
      if (without === null || beside === null) throw new Error("not merged");
      expect(loosened(without, beside, calls)).toBeNull();
      expect(loosened(beside, without, calls)).toBeNull();
    }),
    { numRuns: Math.ceil(RUNS / 10) },
  );
});

test("the files' texts mean what these laws are about", () => {
  fc.assert(
    fc.property(layersAndCalls, ({ layers, calls }) => {
      const read = mergeDocuments(readDocuments(layers));
      const made = mergeDocuments(makeDocuments(layers));
      if (read === null || made === null) throw new Error("not merged");
      expect(loosened(read, made, calls)).toBeNull();
      expect(loosened(made, read, calls)).toBeNull();
    }),
    { numRuns: Math.ceil(RUNS / 20) },
  );
});
