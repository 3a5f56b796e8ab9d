// What the stages of a merge hand each other: one file of one layer, and its entry for one server.
import type {
  LayerName,
  Origin,
  OwnPlaces,
  Pins,
  PrivateList,
} from "../model/model.ts";
import type { MachineFile, ServerEntry } from "../../schemas/fenzi.ts";

type Locate = (
  path: readonly (string | number)[],
  what: "key" | "value",
) => Origin["at"];

/** One file of one layer, validated. */
export interface LayerDocument {
  readonly layer: LayerName;
  readonly file: string;
  readonly hash: string;
  /** Real, absolute: what relative globs are relative to; null for the project's folder. */
  readonly folder: string | null;
  readonly value: MachineFile;
  readonly locate: Locate;
  /** What the `fenzi.lock` beside it pins, by the server's name. */
  readonly locked: ReadonlyMap<string, Pins>;
}

/** One layer's entry for a server. */
export interface LayerEntry {
  readonly layer: LayerName;
  readonly entry: ServerEntry;
  /** Real, absolute. */
  readonly folder: string;
  /** The entry's own place: its name. */
  readonly origin: Origin;
  readonly at: (
    what: "key" | "value",
    ...path: readonly (string | number)[]
  ) => Origin;
}

/** Where the merged project lies. */
export interface Place {
  readonly project: string;
  readonly repository: string;
  /** The real path of `project`. */
  readonly folder: string;
  readonly own: OwnPlaces;
  /** What the repository's `.fenziignore` says. */
  readonly ignore: readonly PrivateList[];
}
