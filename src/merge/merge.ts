// Files of all layers → the model. Inner layers can only narrow: identity must be equal, tool rules are kept per layer,
// and what one file may not say about another is a diagnostic with both positions.
import { report } from "../diagnostics/catalog.ts";
import {
  hasErrors,
  type Diagnostic,
  type Result,
} from "../diagnostics/diagnostic.ts";
import { nearest } from "../match/nearest.ts";
import type {
  Json,
  LayerFile,
  LayerName,
  Model,
  Pins,
  Server,
  Sourced,
} from "../model/model.ts";
import { commonRules } from "./argument-rules.ts";
import { checkNeighbours } from "./check-neighbours.ts";
import type { LayerDocument, LayerEntry, Place } from "./layer.ts";
import { mergeServer } from "./merge-server.ts";

/** Merges the layers, outermost first. */
export function mergeLayers(
  documents: readonly LayerDocument[],
  place: Place,
): Result<Model> {
  const diagnostics: Diagnostic[] = [];
  const entries = collect(documents, place);
  const servers: Server[] = [];
  const idle: [string, readonly LayerEntry[]][] = [];
  for (const [name, layers] of entries) {
    const merged = mergeServer(name, layers);
    for (const each of merged.diagnostics) diagnostics.push(each);
    if (merged.value === null && !hasErrors(merged.diagnostics))
      idle.push([name, layers]);
    if (merged.value !== null) servers.push(merged.value);
  }
  for (const each of nothingToNarrow(idle, servers)) diagnostics.push(each);
  servers.sort((a, b) => (a.name < b.name ? -1 : 1));
  const named = [...entries].map(([name, layers]) => ({ name, layers }));
  for (const each of checkNeighbours(named, servers)) diagnostics.push(each);
  for (const each of checkAdditions(documents, servers)) diagnostics.push(each);
  const model: Model = {
    project: place.project,
    repository: place.repository,
    ...commonRules(documents, place),
    layers: documents.map((d) => layerFile(d, servers)),
    servers,
    locked: lockedIn(documents),
    airGap: airGapOf(documents),
    agents: documents.flatMap(agentsOf),
  };
  return { value: hasErrors(diagnostics) ? null : model, diagnostics };
}

function collect(
  documents: readonly LayerDocument[],
  place: Place,
): Map<string, LayerEntry[]> {
  const entries = new Map<string, LayerEntry[]>();
  for (const document of documents)
    for (const [name, entry] of Object.entries(document.value.mcp ?? {})) {
      const at: LayerEntry["at"] = (what, ...path) => ({
        layer: document.layer,
        at: document.locate(["mcp", name, ...path], what),
      });
      const list = entries.get(name) ?? [];
      list.push({
        layer: document.layer,
        entry,
        folder: document.folder ?? place.folder,
        origin: at("key"),
        at,
      });
      entries.set(name, list);
    }
  return entries;
}

/** How many misspellings are looked for: each is compared with every server. */
const MOST_GUESSES = 20;

function nothingToNarrow(
  idle: readonly (readonly [string, readonly LayerEntry[]])[],
  servers: readonly Server[],
): readonly Diagnostic[] {
  const defined = servers.map((s) => s.name);
  return idle.map(([name, layers], i) =>
    report(
      "merge/nothing-to-narrow",
      { name, nearest: i < MOST_GUESSES ? nearest(name, defined) : null },
      {
        at: layers[0]?.origin.at ?? null,
        help: "give it a `url` or a `command`, or use the name of a server in the machine file",
      },
    ),
  );
}

const IN_REPOSITORY: readonly LayerName[] = ["root", "project"];

/** `projectServers: false` in an outer file: a project's own servers are errors. */
function checkAdditions(
  documents: readonly LayerDocument[],
  servers: readonly Server[],
): readonly Diagnostic[] {
  const closed = documents.find((d) => d.value.projectServers === false);
  if (closed === undefined) return [];
  return servers
    .filter((s) => IN_REPOSITORY.includes(s.origin.layer))
    .map((s) =>
      report(
        "merge/no-project-servers",
        { name: s.name },
        {
          at: s.origin.at,
          notes: [
            {
              message: "`projectServers: false` is here",
              at: closed.locate(["projectServers"], "key"),
            },
          ],
        },
      ),
    );
}

function layerFile(
  document: LayerDocument,
  servers: readonly Server[],
): LayerFile {
  const { layer, file, hash } = document;
  const adds =
    IN_REPOSITORY.includes(layer) &&
    servers.some((s) => s.origin.layer === layer);
  return { layer, file, hash, adds };
}

/** Nothing is merged here: a door compares with every pin that there is. */
function lockedIn(
  documents: readonly LayerDocument[],
): ReadonlyMap<string, readonly Pins[]> {
  const all = new Map<string, readonly Pins[]>();
  for (const { locked } of documents)
    for (const [name, pins] of locked)
      all.set(name, [...(all.get(name) ?? []), pins]);
  return all;
}

/** `true` of any layer wins; the outermost that says so is named. */
function airGapOf(
  documents: readonly LayerDocument[],
): Sourced<boolean> | "off" {
  const on = documents.find((d) => d.value.airGap === true);
  return on === undefined
    ? "off"
    : {
        value: true,
        origin: { layer: on.layer, at: on.locate(["airGap"], "key") },
      };
}

const agentsOf = (document: LayerDocument) =>
  Object.entries(document.value.agents ?? {}).map(([agent, settings]) => ({
    agent,
    config: (settings?.config ?? {}) as Json,
    origin: {
      layer: document.layer,
      at: document.locate(["agents", agent], "key"),
    },
  }));
