// The promise about limits: the smallest of all files holds, and what holds without a line is a line of the outermost.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  LIMIT_NAMES,
  LIMITS,
  parseQuantity,
  type LimitName,
} from "../../src/match/quantity.ts";
import type { ServerLimits } from "../../src/model/model.ts";
import { makeDocuments, mergeDocuments } from "../support/merge-data.ts";
import type { EntryData, Layered } from "../support/random-layers.ts";

const RUNS = Number(process.env["LAW_RUNS"] ?? 10_000);

type LimitsData = Readonly<Partial<Record<LimitName, string>>>;

const time = fc.constantFrom("100ms", "30s", "60s", "90s", "2min", "1min");
const size = fc.constantFrom("1KiB", "2048B", "4MiB", "5MiB", "16MiB", "64MiB");
const limits: fc.Arbitrary<LimitsData> = fc.record(
  { call: time, request: size, response: size },
  { requiredKeys: [] },
);

/** The machine's server, and what each file says about its limits, outermost first. */
const files: fc.Arbitrary<readonly LimitsData[]> = fc.array(limits, {
  minLength: 1,
  maxLength: 3,
});

const layersOf = (said: readonly LimitsData[]): Layered =>
  said.map((limits, i) => {
    const entry: EntryData =
      i === 0
        ? { url: "https://outer.example/mcp", tools: { allow: "all" }, limits }
        : { limits };
    return {
      layer: (["machine", "root", "project"] as const)[i] ?? "project",
      data: { version: 1, mcp: { outer: entry } },
    };
  });

function merged(said: readonly LimitsData[]): ServerLimits {
  const server = mergeDocuments(makeDocuments(layersOf(said)))?.servers[0];
  if (server === undefined) throw new Error("not merged");
  return server.limits;
}

const number = (said: LimitsData, name: LimitName): number | null =>
  said[name] === undefined
    ? null
    : parseQuantity(said[name], LIMITS[name].kind);

test("the smallest limit of all files holds, and names a place that says it", () => {
  fc.assert(
    fc.property(files, (said) => {
      const whole = merged(said);
      for (const name of LIMIT_NAMES) {
        const [first, ...inner] = said.map((file) => number(file, name));
        const lines = [first ?? LIMITS[name].fallback, ...inner];
        const least = Math.min(...lines.filter((line) => line !== null));
        expect(whole[name].value).toBe(least);
        const { origin } = whole[name];
        const from =
          said[
            ["machine", "root", "project"].indexOf(
              origin === "default" ? "machine" : origin.layer,
            )
          ];
        expect(number(from ?? {}, name) ?? LIMITS[name].fallback).toBe(least);
      }
    }),
    { numRuns: RUNS },
  );
});

test("one more file never raises a limit", () => {
  fc.assert(
    fc.property(files, limits, (said, more) => {
      const outer = said.slice(0, 2);
      const [before, after] = [merged(outer), merged([...outer, more])];
      for (const name of LIMIT_NAMES)
        expect(after[name].value).toBeLessThanOrEqual(before[name].value);
    }),
    { numRuns: RUNS },
  );
});
