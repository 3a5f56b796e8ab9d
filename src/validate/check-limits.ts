// What is wrong with the limits of a server entry: a text that is no quantity, or one that is out of range.
import { report } from "../diagnostics/catalog.ts";
import type { Diagnostic, Span } from "../diagnostics/diagnostic.ts";
import {
  LIMIT_NAMES,
  LIMITS,
  parseQuantity,
  printQuantity,
  type LimitName,
} from "../match/quantity.ts";
import type { ServerEntry } from "../../schemas/fenzi.ts";

const EXAMPLE = { time: "`30s` or `500ms`", size: "`512KiB` or `8MiB`" };

export const checkLimits = (
  entry: ServerEntry,
  at: (name: LimitName) => Span,
): readonly Diagnostic[] =>
  LIMIT_NAMES.flatMap((name) => {
    const text = entry.limits?.[name];
    if (text === undefined) return [];
    const key = `limits.${name}`;
    const { kind, least, most } = LIMITS[name];
    const value = parseQuantity(text, kind);
    if (value === null)
      return [
        report(
          "server/limit",
          { key, text, example: EXAMPLE[kind] },
          { at: at(name) },
        ),
      ];
    return value >= least && value <= most
      ? []
      : [
          report(
            "server/limit-range",
            {
              key,
              least: printQuantity(least, kind),
              most: printQuantity(most, kind),
            },
            { at: at(name) },
          ),
        ];
  });
