// The result depends on what the files say and on nothing else: not on the order of keys, not on a rule being said twice,
// not on which of two inner files says it.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Model } from "../../src/model/model.ts";
import {
  decideIn,
  makeDocuments,
  mergeDocuments,
  readDocuments,
} from "../support/merge-data.ts";
import {
  layersAndCalls,
  type FileData,
  type Layered,
} from "../support/random-layers.ts";

const RUNS = Number(process.env["LAW_RUNS"] ?? 2000);

function merged(layers: Layered): Model {
  const model = mergeDocuments(makeDocuments(layers));
  if (model === null) throw new Error("not merged");
  return model;
}

const effects = (model: Model, calls: readonly string[]) =>
  calls.map((tool) => decideIn(model, "outer", tool)?.effect);

/** What the project says about the machine's server, alone in a file. */
function narrowingOf(layers: Layered): FileData {
  const project = layers.at(-1)?.data;
  const outer = project?.mcp["outer"];
  return { version: 1, mcp: outer === undefined ? {} : { outer } };
}

test("the same files give the same model", () => {
  fc.assert(
    fc.property(layersAndCalls, ({ layers }) => {
      const read = () => mergeDocuments(readDocuments(layers));
      expect(read()).toEqual(read());
    }),
    { numRuns: RUNS / 10 },
  );
});

test("a file that says again what an outer one says changes nothing", () => {
  fc.assert(
    fc.property(layersAndCalls, ({ layers, calls }) => {
      const [machine] = layers;
      const data = narrowingOf(layers);
      if (machine === undefined) return;
      const once = merged([machine, { layer: "project", data }]);
      const twice = merged([
        machine,
        { layer: "root", data },
        { layer: "project", data },
      ]);
      expect(effects(twice, calls)).toEqual(effects(once, calls));
    }),
    { numRuns: RUNS },
  );
});

test("which of two inner files says a rule does not matter", () => {
  fc.assert(
    fc.property(
      layersAndCalls,
      layersAndCalls,
      ({ layers, calls }, { layers: others }) => {
        const [machine] = layers;
        const [a, b] = [narrowingOf(layers), narrowingOf(others)];
        if (machine === undefined) return;
        const turned = (root: FileData, project: FileData) =>
          merged([
            machine,
            { layer: "root", data: root },
            { layer: "project", data: project },
          ]);
        expect(effects(turned(a, b), calls)).toEqual(
          effects(turned(b, a), calls),
        );
      },
    ),
    { numRuns: RUNS },
  );
});
