// How many problems are shown: a file of one mebibyte can have hundreds of thousands.
import { report } from "../diagnostics/catalog.ts";
import {
  sortDiagnostics,
  type Diagnostic,
  type Severity,
} from "../diagnostics/diagnostic.ts";

const RANK: Readonly<Record<Severity, number>> = {
  error: 0,
  warning: 1,
  note: 2,
};

/** In order, without repeats; when there are more than `most`, errors before all others, and a last line that counts the rest. */
export function atMost(
  diagnostics: readonly Diagnostic[],
  most: number,
): readonly Diagnostic[] {
  const all = sortDiagnostics(diagnostics);
  if (all.length <= most) return all;
  const kept = [...all]
    .sort((a, b) => RANK[a.severity] - RANK[b.severity])
    .slice(0, most);
  return [
    ...sortDiagnostics(kept),
    report("check/more", { count: all.length - most }),
  ];
}
