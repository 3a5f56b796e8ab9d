// Whose file a layer is: the person's own machine and their team, or a repository that they opened.
import type { LayerName } from "../model/model.ts";

/** A layer that no repository can write. */
export const isOuterLayer = (layer: LayerName): boolean =>
  layer === "team" || layer === "machine";
