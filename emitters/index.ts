// The registry of targets, in the order in which they are shown.
import type { Emitter } from "../src/emit/emitter.ts";

export const emitters: readonly Emitter[] = [];
