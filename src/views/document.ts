// The JSON documents for programs: `formatVersion`, the command's own members, `diagnostics`. Never a null list.
import { sortDiagnostics, type Diagnostic } from "../diagnostics/diagnostic.ts";
import type { Origin } from "../model/model.ts";
import type { Span } from "../diagnostics/diagnostic.ts";
import { visibleJson } from "../diagnostics/visible.ts";
import type { Host } from "../host/host.ts";

export const placeOf = (at: Span | null) => ({
  file: at?.file ?? null,
  line: at?.start.line ?? null,
  column: at?.start.column ?? null,
});

export const originOf = (origin: Origin) => ({
  layer: origin.layer,
  file: origin.at.file,
  line: origin.at.start.line,
  column: origin.at.start.column,
});

export const diagnosticOf = (d: Diagnostic) => ({
  code: d.code,
  severity: d.severity,
  message: d.message,
  ...placeOf(d.at),
  notes: d.notes.map((n) => ({ message: n.message, ...placeOf(n.at) })),
  help: d.help,
});

/** Prints one document. */
export function printDocument(
  host: Host,
  members: Readonly<Record<string, unknown>>,
  diagnostics: readonly Diagnostic[],
): void {
  const document = {
    formatVersion: 1,
    ...members,
    diagnostics: sortDiagnostics(diagnostics).map(diagnosticOf),
  };
  host.stdout.write(`${visibleJson(JSON.stringify(document, null, 2))}\n`);
}
