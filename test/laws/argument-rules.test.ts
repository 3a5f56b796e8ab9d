// The promise about arguments: an inner file, one more line and an edit while a door is open only ever refuse more.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { LayerName } from "../../src/model/model.ts";
import type { CallArguments } from "../../src/policy/argument-rules.ts";
import { decide, tightenPolicy, type Policy } from "../../src/policy/decide.ts";
import {
  makeDocuments,
  mergeDocuments,
  policyIn,
} from "../support/merge-data.ts";
import type { EntryData, Layered } from "../support/random-layers.ts";

const RUNS = Number(process.env["LAW_RUNS"] ?? 5_000);
const LAYERS: readonly LayerName[] = ["machine", "root", "project"];

const folder = fc.constantFrom("src", "out", "docs", "src/deep");
const glob = fc.oneof(
  folder.map((f) => `${f}/**`),
  folder.map((f) => `${f}/*.ts`),
  fc.constantFrom("**", "*", "/etc/**", "/etc/hosts", "~/notes/**"),
);
const globs = fc.array(glob, { maxLength: 3 });
const host = fc.constantFrom(
  "a.example",
  "*.example",
  "b.a.example",
  "10.0.0.1",
);
const said = fc.record(
  {
    paths: fc.record({ read: globs, write: globs }, { requiredKeys: [] }),
    hosts: fc.record(
      {
        allow: fc.array(host, { maxLength: 3 }),
        ports: fc.array(fc.constantFrom(80, 443), { maxLength: 2 }),
      },
      { requiredKeys: [] },
    ),
    limits: fc.record({ rate: fc.constantFrom("1/s", "60/min", "9/h") }),
    private: fc.array(fc.constantFrom<string>("docs/**", "*.ts", "deep"), {
      maxLength: 2,
    }),
    secrets: fc.record({
      refuse: fc.array(fc.constantFrom<string>("ACME", "x[0-9]"), {
        maxLength: 2,
      }),
    }),
  },
  { requiredKeys: [] },
);
type Said = typeof said extends fc.Arbitrary<infer T> ? T : never;

const defining = fc.record({
  local: fc.boolean(),
  reads: fc.constantFrom<readonly string[]>([], ["get_*"], ["get_x", "put_x"]),
});

const files = fc.tuple(
  defining,
  fc.array(said, { minLength: 1, maxLength: 3 }),
);

function layersOf([first, all]: readonly [
  { readonly local: boolean; readonly reads: readonly string[] },
  readonly Said[],
]): Layered {
  return all.map(({ paths, hosts, limits, ...top }, i) => {
    const entry = {
      ...(i > 0
        ? {}
        : first.local
          ? {
              command: ["npx", "x"],
              tools: { allow: "all", reads: first.reads },
            }
          : {
              url: "https://s.example/",
              tools: { allow: "all", reads: first.reads },
            }),
      ...(paths === undefined ? {} : { paths }),
      ...(hosts === undefined ? {} : { hosts }),
      ...(limits === undefined ? {} : { limits }),
    } as EntryData;
    return {
      layer: LAYERS[i] ?? "project",
      data: { version: 1, mcp: { some: entry }, ...top },
    };
  });
}

const place = fc
  .tuple(
    fc.constantFrom(
      "/src",
      "/out",
      "/docs",
      "/src/deep",
      "/etc",
      "/home/user/notes",
      "/other",
    ),
    fc.constantFrom("a.ts", "hosts", "x/y.ts", "deep"),
  )
  .map(([a, b]) => `${a}/${b}`);
const call = fc.record({
  tool: fc.constantFrom("get_x", "put_x", "GET_X"),
  place,
  whole: fc.boolean(),
  lost: fc.constantFrom(false, false, false, true),
  text: fc.constantFrom(
    "",
    "https://a.example/",
    "http://b.a.example/",
    "http://10.0.0.1:443",
    "evil.test",
    "ACME",
    "x7",
  ),
  spent: fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
});
type CallData = typeof call extends fc.Arbitrary<infer T> ? T : never;

/** Rates are counted by their place in the policy: the same for every rate, so that policies can be compared. */
function isAllowed(policy: Policy, data: CallData): boolean {
  const { place, whole, lost, text, spent } = data;
  const { rates } = policy.arguments;
  const found: CallArguments = {
    texts: [{ text, argument: null }],
    paths: [
      { argument: null, whole, written: [place], real: lost ? null : [place] },
    ],
    tooMany: false,
    spent: rates.map(
      ({ window }) =>
        spent[[1_000, 60_000, 3_600_000].indexOf(window)] === true,
    ),
  };
  return (
    decide(policy, { tool: data.tool, arguments: found }).effect !== "deny"
  );
}

function policyOf(layers: Layered): Policy {
  const model = mergeDocuments(makeDocuments(layers));
  const policy = model === null ? null : policyIn(model, "some");
  if (policy === null) throw new Error("not merged");
  return policy;
}

test("an inner file only refuses more", () => {
  let refused = 0;
  fc.assert(
    fc.property(
      files,
      fc.array(call, { minLength: 4, maxLength: 8 }),
      (said, calls) => {
        const layers = layersOf(said);
        const whole = policyOf(layers);
        for (let n = 1; n < layers.length; n++) {
          const outer = policyOf(layers.slice(0, n));
          for (const each of calls) {
            if (!isAllowed(whole, each)) {
              if (isAllowed(outer, each)) refused++;
              continue;
            }
            expect(isAllowed(outer, each)).toBe(true);
          }
        }
      },
    ),
    { numRuns: RUNS },
  );
  // Without such calls the law could hold because inner files never say anything.
  expect(refused).toBeGreaterThan(RUNS / 10);
});

test("an edit while a door is open is judged by both", () => {
  fc.assert(
    fc.property(files, files, call, (a, b, each) => {
      const [start, edited] = [policyOf(layersOf(a)), policyOf(layersOf(b))];
      expect(isAllowed(tightenPolicy(start, edited), each)).toBe(
        isAllowed(start, each) && isAllowed(edited, each),
      );
    }),
    { numRuns: RUNS },
  );
});

test("one more private file, secret or rate only refuses more", () => {
  fc.assert(
    fc.property(files, call, ([first, all], each) => {
      const [outer, ...rest] = all;
      if (outer === undefined) return;
      const more = {
        ...outer,
        private: [...(outer.private ?? []), "other"],
        secrets: { refuse: [...(outer.secrets?.refuse ?? []), "evil"] },
      };
      if (isAllowed(policyOf(layersOf([first, [more, ...rest]])), each))
        expect(isAllowed(policyOf(layersOf([first, all])), each)).toBe(true);
    }),
    { numRuns: RUNS },
  );
});

test("what an inner file does not list is refused, and what neither lists", () => {
  const outer: Said["hosts"] = { allow: ["*.example", "10.0.0.1"] };
  const inner: Said["hosts"] = { allow: ["a.example"] };
  const holds = (...said: readonly Said[]) => {
    const policy = policyOf(layersOf([{ local: false, reads: [] }, said]));
    return (text: CallData["text"]) =>
      isAllowed(policy, {
        tool: "get_x",
        place: "/src/a.ts",
        whole: true,
        lost: false,
        text,
        spent: [false, false, false],
      });
  };
  const texts = [
    "https://a.example/",
    "http://b.a.example/",
    "http://10.0.0.1:443",
  ] as const;
  expect(texts.map(holds({ hosts: outer }))).toEqual([true, true, true]);
  expect(texts.map(holds({ hosts: outer }, { hosts: inner }))).toEqual([
    true,
    false,
    false,
  ]);
  expect(texts.map(holds({ hosts: inner }, { hosts: outer }))).toEqual([
    true,
    false,
    false,
  ]);
});
