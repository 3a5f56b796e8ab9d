// What the layers say about arguments: paths and hosts are kept per layer, as tool rules are, and each must match; rates
// all hold; private files and secrets are added up.
import type {
  CommonRules,
  HostLayer,
  PathLayer,
  PrivateList,
  Rate,
  Server,
  Sourced,
  ToolRule,
} from "../model/model.ts";
import { parseRate } from "../match/rate.ts";
import type { LayerDocument, LayerEntry, Place } from "./layer.ts";

type ArgumentRules = Pick<
  Server,
  "folder" | "paths" | "hosts" | "rates" | "reads"
>;

/** `layers`: the one that defines the server, then the inner ones. */
export function argumentRules(
  defining: LayerEntry,
  inner: readonly LayerEntry[],
): ArgumentRules {
  const layers = [defining, ...inner];
  return {
    folder: defining.folder,
    paths: [
      // A local server has its folder, and that counts as the line of the layer that defines it.
      ...(defining.entry.paths === undefined &&
      defining.entry.command !== undefined
        ? [everywhereIn(defining)]
        : []),
      ...layers.flatMap(pathLayer),
    ],
    hosts: layers.flatMap(hostLayer),
    rates: layers.flatMap(rate),
    reads: readsOf(defining),
  };
}

function everywhereIn(layer: LayerEntry): PathLayer {
  const all = [{ value: "**", origin: layer.origin }];
  return {
    layer: layer.layer,
    folder: layer.folder,
    read: all,
    write: all,
    origin: layer.origin,
    written: false,
  };
}

function pathLayer(layer: LayerEntry): readonly PathLayer[] {
  const { paths } = layer.entry;
  if (paths === undefined) return [];
  const globs = (key: "read" | "write") =>
    (paths[key] ?? []).map((value, i) => ({
      value,
      origin: layer.at("value", "paths", key, i),
    }));
  return [
    {
      layer: layer.layer,
      folder: layer.folder,
      read: globs("read"),
      write: globs("write"),
      origin: layer.at("key", "paths"),
      written: true,
    },
  ];
}

function hostLayer(layer: LayerEntry): readonly HostLayer[] {
  const { hosts } = layer.entry;
  if (hosts === undefined) return [];
  return [
    {
      layer: layer.layer,
      allow:
        hosts.allow?.map((value, i) => ({
          value,
          origin: layer.at("value", "hosts", "allow", i),
        })) ?? null,
      ports:
        hosts.ports?.map((value, i) => ({
          value,
          origin: layer.at("value", "hosts", "ports", i),
        })) ?? null,
      origin: layer.at("key", "hosts"),
    },
  ];
}

function rate(layer: LayerEntry): readonly Rate[] {
  const text = layer.entry.limits?.rate;
  if (text === undefined) return [];
  const value = parseRate(text);
  if (value === null)
    throw new TypeError("a rate that validation refused came to the merge");
  return [{ ...value, origin: layer.at("value", "limits", "rate") }];
}

const readsOf = (layer: LayerEntry): readonly ToolRule[] =>
  typeof layer.entry.tools === "object"
    ? (layer.entry.tools.reads ?? []).map((text, i) => ({
        text,
        origin: layer.at("value", "tools", "reads", i),
      }))
    : [];

/** Of all files, outermost first. */
export function commonRules(
  documents: readonly LayerDocument[],
  place: Place,
): Pick<CommonRules, "private" | "secrets" | "own"> {
  const written = (
    document: LayerDocument,
    texts: readonly string[] | undefined,
    ...path: readonly string[]
  ): readonly Sourced<string>[] =>
    (texts ?? []).map((value, i) => ({
      value,
      origin: {
        layer: document.layer,
        at: document.locate([...path, i], "value"),
      },
    }));
  const lists = documents.map((document): PrivateList => ({
    kind: "private",
    folder: document.folder ?? place.folder,
    lines: written(document, document.value.private, "private"),
  }));
  const secrets = (key: "refuse" | "redact") =>
    documents.flatMap((document) =>
      written(document, document.value.secrets?.[key], "secrets", key),
    );
  return {
    private: [...lists, ...place.ignore].filter((l) => l.lines.length > 0),
    secrets: { refuse: secrets("refuse"), redact: secrets("redact") },
    own: place.own,
  };
}
