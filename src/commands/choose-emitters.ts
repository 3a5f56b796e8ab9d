// The agents that `--agent` names.
import { emitters } from "../../emitters/index.ts";
import type { Emitter } from "../emit/emitter.ts";
import { nearest } from "../match/nearest.ts";
import { UsageError } from "./outcome.ts";

/** All of them when none is named. */
export function chooseEmitters(names: readonly string[]): readonly Emitter[] {
  const known = emitters.map((e) => e.target);
  for (const name of names)
    if (!known.includes(name)) {
      const near = nearest(name, known);
      throw new UsageError(
        `there is no agent \`${name}\`${near === null ? `; known: ${known.join(", ")}` : `; did you mean \`${near}\`?`}`,
      );
    }
  return names.length === 0
    ? emitters
    : emitters.filter((e) => names.includes(e.target));
}
