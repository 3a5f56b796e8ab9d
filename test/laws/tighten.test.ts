// The promise of a running gateway: whatever the files are edited to, no call is judged more loosely than at its start,
// or than the files say now.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { tightenRules } from "../../src/commands/tighten-rules.ts";
import { modelServers } from "../../src/gateway/model-servers.ts";
import type { GatewayServer } from "../../src/gateway/start-gateway.ts";
import type { Model } from "../../src/model/model.ts";
import { decide, type Policy } from "../../src/policy/decide.ts";
import { NO_FACTS } from "../support/enforce-case.ts";
import { makeDocuments, mergeDocuments } from "../support/merge-data.ts";
import { layersAndCalls, type Layered } from "../support/random-layers.ts";

const RUNS = Number(process.env["LAW_RUNS"] ?? 2_000);
const RANK = { allow: 0, ask: 1, deny: 2 };
const KEYS = ["call", "request", "response"] as const;

const limits = fc.record({
  call: fc.constantFrom("200ms", "30s", "90s"),
  request: fc.constantFrom("1KiB", "1MiB", "8MiB"),
  response: fc.constantFrom("1KiB", "4MiB", "64MiB"),
});

/** Files in which every server has these limits, and calls. */
const files = fc
  .tuple(layersAndCalls, limits)
  .map(([{ layers, calls }, said]) => ({
    calls,
    model: modelOf(
      layers.map(({ layer, data }) => ({
        layer,
        data: {
          ...data,
          mcp: Object.fromEntries(
            Object.entries(data.mcp).map(([name, entry]) => [
              name,
              { ...entry, limits: said },
            ]),
          ),
        },
      })),
    ),
  }));

function modelOf(layers: Layered): Model {
  const model = mergeDocuments(makeDocuments(layers));
  if (model === null) throw new Error("not merged");
  return model;
}

const served = (model: Model): readonly GatewayServer[] =>
  modelServers(model, new Map(), {}, NO_FACTS).servers;

const rank = (policy: Policy | undefined, tool: string): number =>
  RANK[policy === undefined ? "deny" : decide(policy, { tool }).effect];

test("an edit only tightens", () => {
  let wider = 0;
  let stricter = 0;
  fc.assert(
    fc.property(files, files, (start, edited) => {
      const [before, now] = [served(start.model), served(edited.model)];
      const result = tightenRules({
        start: before,
        startModel: start.model,
        edited: edited.model,
        serves: () => true,
        own: new Map(),
      });
      if (!("rules" in result)) throw new Error("no rules");
      for (const server of before) {
        const rules = result.rules.get(server.name);
        const other = now.find(({ name }) => name === server.name);
        for (const tool of [...start.calls, ...edited.calls]) {
          const [was, wanted] = [server.policy, other?.policy].map((p) =>
            rank(p, tool),
          );
          if (was === undefined || wanted === undefined) continue;
          if (wanted < was) wider++;
          if (wanted > was) stricter++;
          expect(rank(rules?.policy, tool), tool).toBe(Math.max(was, wanted));
        }
        for (const key of KEYS)
          expect(rules?.limits[key]).toBe(
            Math.min(
              server.limits[key],
              edited.model.servers.find(
                ({ name, transport }) =>
                  name === server.name && transport.kind === "http",
              )?.limits[key].value ?? Infinity,
            ),
          );
      }
    }),
    { numRuns: RUNS },
  );
  // Without such runs the law could hold because edits never change anything.
  expect(Math.min(wider, stricter)).toBeGreaterThan(RUNS / 20);
});

test("files with an error change nothing", () => {
  fc.assert(
    fc.property(files, ({ model }) => {
      expect(
        tightenRules({
          start: served(model),
          startModel: model,
          edited: null,
          serves: () => true,
          own: new Map(),
        }),
      ).not.toHaveProperty("rules");
    }),
    { numRuns: Math.ceil(RUNS / 20) },
  );
});
