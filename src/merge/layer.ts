// What the stages of a merge hand each other: one file of one layer, and its entry for one server.
import type { LayerName, Origin } from "../model/model.ts";
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
  readonly value: MachineFile;
  readonly locate: Locate;
}

/** One layer's entry for a server. */
export interface LayerEntry {
  readonly layer: LayerName;
  readonly entry: ServerEntry;
  /** The entry's own place: its name. */
  readonly origin: Origin;
  readonly at: (
    what: "key" | "value",
    ...path: readonly (string | number)[]
  ) => Origin;
}
