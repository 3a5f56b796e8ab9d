// What holds for every emitter: it is pure, it changes nothing it is given, the order in which a person wrote the keys
// does not matter, and the agent's own filter, as the agent reads it, is never wider than the decision.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { emitters } from "../../emitters/index.ts";
import { deliver, type Places } from "../../src/deliver/deliver.ts";
import { emitFor } from "../../src/emit/emit-all.ts";
import type { Context, Emission, Emitter } from "../../src/emit/emitter.ts";
import { foldName, isPattern } from "../../src/match/tool-pattern.ts";
import type { Delivered } from "../../src/model/delivered.ts";
import type { Model } from "../../src/model/model.ts";
import { decide, preparePolicy } from "../../src/policy/decide.ts";
import { verdicts, type Verdict } from "../support/agent-verdict.ts";
import {
  decideIn,
  makeDocuments,
  mergeDocuments,
  readDocuments,
} from "../support/merge-data.ts";
import {
  layersAndCalls,
  rulesOf,
  type Layered,
} from "../support/random-layers.ts";

const RUNS = Number(process.env["LAW_RUNS"] ?? 2000);

const places: Places = {
  project: "/work",
  home: (file) => file.slice(0, file.lastIndexOf("/")),
  own: (server) => `/state/servers/${server}`,
};
const context: Context = {
  folder: "/out/agent",
  project: "/project",
  repository: "/project",
  settings: {},
};

function modelOf(layers: Layered): Model {
  const model = mergeDocuments(makeDocuments(layers));
  if (model === null) throw new Error("not merged");
  return model;
}

const deliveredTo = (emitter: Emitter, model: Model): readonly Delivered[] =>
  deliver(model, emitter.filter, places);

const bytesOf = (emission: Emission): string =>
  JSON.stringify([emission.files, emission.folders, emission.launch]);

describe.each(emitters.map((e) => [e.target, e] as const))(
  "%s",
  (_, emitter) => {
    test("is pure: a frozen input, the same bytes again", () => {
      fc.assert(
        fc.property(layersAndCalls, ({ layers }) => {
          const servers = freeze(deliveredTo(emitter, modelOf(layers)));
          const frozen = freeze(structuredClone(context));
          const first = bytesOf(emitter.emit(servers, frozen));
          expect(bytesOf(emitter.emit(servers, frozen))).toBe(first);
        }),
        { numRuns: Math.ceil(RUNS / 10) },
      );
    });

    test("writes the same whatever the order of keys in a file", () => {
      fc.assert(
        fc.property(layersAndCalls, ({ layers }) => {
          const emitted = (of: Layered) => {
            const model = mergeDocuments(readDocuments(of));
            if (model === null) throw new Error("not merged");
            return bytesOf(emitter.emit(deliveredTo(emitter, model), context));
          };
          const turned = layers.map(({ layer, data }) => ({
            layer,
            data: reversed(data),
          }));
          expect(emitted(turned)).toBe(emitted(layers));
        }),
        { numRuns: Math.ceil(RUNS / 10) },
      );
    });

    test("offers each tool that is allowed, or asked about, by its plain name", () => {
      const judge = verdicts[emitter.target];
      fc.assert(
        fc.property(layersAndCalls, ({ layers }) => {
          const plain = withPlainRules(layers);
          const model = modelOf(plain);
          const verdictOf = judge?.(emittedFiles(emitter, model));
          for (const { name } of model.servers)
            for (const tool of namesListed(plain, name)) {
              const wanted = decideIn(model, name, tool)?.effect;
              if (wanted !== "deny")
                expect(verdictOf?.(name, tool), `${tool} of ${name}`).toBe(
                  wanted,
                );
            }
        }),
        { numRuns: Math.ceil(RUNS / 4) },
      );
    });
  },
);

// All of them over the same models, which cost more than what is asked of them.
test("no agent has a filter that is wider than the decision", () => {
  const passed = new Map<string, number>();
  fc.assert(
    fc.property(layersAndCalls, ({ layers, calls }) => {
      const model = modelOf(layers);
      const judged = emitters.map((emitter) => {
        const judge = verdicts[emitter.target];
        if (judge === undefined)
          throw new Error(
            `test/support/agent-verdict.ts has no ${emitter.target}`,
          );
        return { emitter, verdictOf: judge(emittedFiles(emitter, model)) };
      });
      for (const server of model.servers) {
        const { name } = server;
        const policy = preparePolicy(server, model);
        const listed = namesListed(layers, name);
        for (const { emitter, verdictOf } of judged)
          for (const tool of namesToTry(emitter, listed, calls)) {
            const wanted = decide(policy, { tool }).effect;
            const verdict = verdictOf(name, tool);
            const { target } = emitter;
            if (verdict !== "refuse")
              passed.set(target, (passed.get(target) ?? 0) + 1);
            if (STRICTNESS[verdict] < STRICTNESS[wanted])
              throw new Error(
                `${tool} of ${name}: ${target} has ${verdict}, the decision is ${wanted}`,
              );
          }
      }
    }),
    { numRuns: RUNS },
  );
  // A filter that refuses everything would keep the law and be of no use.
  for (const { target } of emitters)
    expect(passed.get(target), target).toBeGreaterThan(RUNS);
});

const STRICTNESS: Readonly<Record<Verdict | "deny", number>> = {
  allow: 0,
  ask: 1,
  refuse: 2,
  deny: 2,
};

function emittedFiles(
  emitter: Emitter,
  model: Model,
): ReadonlyMap<string, string> {
  const { emission } = emitFor(
    emitter,
    deliveredTo(emitter, model),
    context,
    [],
    { allowUnenforced: true },
  );
  return new Map(emission.files.map(({ path, text }) => [path, text]));
}

/** The exact names in the rules of one server. */
const namesListed = (layers: Layered, server: string): readonly string[] =>
  rulesOf(
    layers.map(({ layer, data }) => {
      const entry = data.mcp[server];
      return {
        layer,
        data: { ...data, mcp: entry === undefined ? {} : { [server]: entry } },
      };
    }),
  ).filter((rule) => !isPattern(rule));

/**
 * Names to try: those that the files list, and plain ones in small letters that do not meet a listed one in the agent's
 * spelling. Agents compare case and map characters; two tools of one server that differ only in that cannot be told
 * apart in their rules, and nobody knows before the server says its list.
 */
function namesToTry(
  { filter: { kept } }: Emitter,
  listed: readonly string[],
  calls: readonly string[],
): readonly string[] {
  const spell = (name: string) =>
    kept === null
      ? name
      : [...name].map((c) => (kept.test(c) ? c : "_")).join("");
  // A rule in capitals is written in small letters too.
  const taken = new Set([...listed, ...listed.map(foldName)].map(spell));
  return [
    ...listed,
    ...calls
      .map((name) => name.replaceAll(".", "_"))
      .filter((name) => /^[a-z0-9_-]+$/.test(name) && !taken.has(spell(name))),
  ];
}

/** Rules without the characters that some agent maps, and in small letters. */
const withPlainRules = (layers: Layered): Layered =>
  JSON.parse(
    JSON.stringify(layers, (key, value: unknown) =>
      typeof value === "string" && /^\d+$/.test(key)
        ? value.toLowerCase().replace(/[^a-z_*]/g, "x")
        : value,
    ),
  );

function reversed<T>(value: T): T {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, item]) => [key, reversed(item)])
      .reverse(),
  );
}

function freeze<T>(value: T): T {
  if (typeof value === "object" && value !== null) {
    Object.freeze(value);
    for (const item of Object.values(value)) freeze(item);
  }
  return value;
}
