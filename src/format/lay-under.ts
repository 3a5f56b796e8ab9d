// Native settings of the machine file under what an emitter wrote: the one use of a deep merge. Policy is never merged
// this way, and keys that hold policy are refused before this runs.
import { deepmergeCustom } from "deepmerge-ts";
import type { Json } from "../model/model.ts";

// A list of ours replaces one of theirs: appended to, it would say something that neither file says.
const merge = deepmergeCustom({ mergeArrays: false });

/** `settings` with `ours` laid over it: where both say something, ours wins. */
export const layUnder = (settings: Json, ours: Json): Json =>
  merge(settings, ours) as Json;
