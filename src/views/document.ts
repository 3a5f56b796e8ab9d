// The JSON documents for programs: `formatVersion`, the command's own members, `diagnostics`. Never a null list.
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { Origin } from "../model/model.ts";
import type { Span } from "../diagnostics/diagnostic.ts";
import { visibleJson } from "../diagnostics/visible.ts";
import type { Host } from "../host/host.ts";
import { atMost } from "./at-most.ts";

/** More than any program needs, and few enough for any to read. */
const MOST_LISTED = 10_000;

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

const diagnosticOf = (d: Diagnostic) => ({
  code: d.code,
  severity: d.severity,
  message: d.message,
  ...placeOf(d.at),
  notes: d.notes.map((n) => ({ message: n.message, ...placeOf(n.at) })),
  help: d.help,
});

/** Prints one document: as people read it, or in one line where a program reads line by line. */
export function printDocument(
  host: Host,
  members: Readonly<Record<string, unknown>>,
  diagnostics: readonly Diagnostic[],
  form: "pretty" | "line" = "pretty",
): void {
  const document = {
    formatVersion: 1,
    ...members,
    diagnostics: atMost(diagnostics, MOST_LISTED).map(diagnosticOf),
  };
  const text = JSON.stringify(document, null, form === "line" ? 0 : 2);
  host.stdout.write(`${visibleJson(text)}\n`);
}
