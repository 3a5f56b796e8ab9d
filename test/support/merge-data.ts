// Files given as plain data, merged by the real merge and decided by the real decision.
import { parseDocument } from "../../src/compile.ts";
import type { LayerDocument } from "../../src/merge/layer.ts";
import { mergeLayers } from "../../src/merge/merge.ts";
import type { Model } from "../../src/model/model.ts";
import {
  decide,
  preparePolicy,
  type Decision,
  type Policy,
} from "../../src/policy/decide.ts";
import type { Layered } from "./random-layers.ts";

/** Through parser and validation: JSON is YAML, so a file's text is its data's JSON. */
export function readDocuments(layers: Layered): readonly LayerDocument[] {
  return layers.map(({ layer, data }) => {
    const file = `/${layer}.yaml`;
    const read = parseDocument(layer, {
      file,
      text: JSON.stringify(data),
      hash: "",
    });
    if (read.value === null)
      throw new Error(read.diagnostics.map((d) => d.message).join("; "));
    return read.value;
  });
}

/** The same without their texts, so that a law can try many. */
export function makeDocuments(layers: Layered): readonly LayerDocument[] {
  return layers.map(({ layer, data }) => {
    const start = { line: 1, column: 1, offset: 0 };
    const span = { file: `/${layer}.yaml`, start, end: start };
    return {
      layer,
      file: span.file,
      hash: "",
      folder: layer === "machine" || layer === "team" ? null : "/",
      // The arbitrary makes nothing that validation refuses; that it does not is one of the laws.
      value: data as LayerDocument["value"],
      locate: () => span,
      locked: new Map(),
    };
  });
}

const PLACE = {
  project: "/",
  repository: "/",
  folder: "/",
  own: { home: "/home/user", folders: ["/home/user/.config/fenzi"] },
  ignore: [],
};

/** The merged model, or null when the files contradict each other. */
export const mergeDocuments = (
  documents: readonly LayerDocument[],
): Model | null => mergeLayers(documents, PLACE).value;

/** The rules of a server, made ready; null for one that the model does not have. */
export function policyIn(model: Model, name: string): Policy | null {
  const server = model.servers.find((s) => s.name === name);
  return server === undefined ? null : preparePolicy(server, model);
}

/** What happens to a call; null for a server that the model does not have. */
export function decideIn(
  model: Model,
  name: string,
  tool: string,
): Decision | null {
  const policy = policyIn(model, name);
  return policy === null ? null : decide(policy, { tool });
}
