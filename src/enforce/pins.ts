// What a server lists and says, compared with what was pinned of it. Every pin that there is has to agree: a pin can
// hide, none can show what another hides. Without any for a server nothing is compared.
import type { Model, Pins } from "../model/model.ts";
import type { PinFinding } from "../policy/decide.ts";
import { canonicalJson } from "./canonical-json.ts";

/** Lower-case hex SHA-256 of a text's UTF-8 bytes. Injected: this folder takes nothing from Node. */
type Sha256 = (text: string) => string;

export interface PinCheck {
  readonly sha256: Sha256;
  /** Empty: the server is not pinned. */
  readonly pins: readonly Pins[];
}

/** Every pin of a server that there is; `own` are a person's, by the server's name. */
export function pinsOf(
  { locked }: Pick<Model, "locked">,
  own: ReadonlyMap<string, Pins>,
  server: string,
): readonly Pins[] {
  const mine = own.get(server);
  const files = locked.get(server) ?? [];
  return mine === undefined ? files : [...files, mine];
}

/** Stands for a definition that has no hash: it equals none. */
export const NO_HASH = "none";

/** The hash of a tool's definition or of instructions: `source` is JSON text. */
export function hashOf(sha256: Sha256, source: string): string {
  const form = canonicalJson(source);
  return form === null ? NO_HASH : sha256(form);
}

const RANK = { same: 0, new: 1, unseen: 2, changed: 3 } as const;

/**
 * A tool's pin; undefined when the server is not pinned. `hash` is that of the definition that was listed last, null
 * when none was.
 */
export function findPin(
  pins: readonly Pins[],
  tool: string,
  hash: string | null,
): PinFinding | undefined {
  let worst: PinFinding | undefined;
  for (const { tools, origin } of pins) {
    const pinned = tools.get(tool);
    const state =
      pinned === undefined
        ? "new"
        : hash === null
          ? "unseen"
          : pinned === hash
            ? "same"
            : "changed";
    if (worst === undefined || RANK[state] > RANK[worst.state])
      worst = { state, origin };
  }
  return worst;
}

/** Whether instructions with this hash may be shown. */
export const areInstructionsPinned = (
  pins: readonly Pins[],
  hash: string,
): boolean => pins.every(({ instructions }) => instructions === hash);

/** Whether both pin the same, wherever they stand. */
export const samePins = (a: Pins, b: Pins): boolean =>
  a.instructions === b.instructions &&
  a.tools.size === b.tools.size &&
  [...a.tools].every(([tool, hash]) => b.tools.get(tool) === hash);
