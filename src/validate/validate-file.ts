// One file: its shape, then what its entries say about themselves. What files say about each other is `src/merge`.
import {
  machineFile,
  projectFile,
  serverShape,
  type MachineFile,
  type ServerEntry,
} from "../../schemas/fenzi.ts";
import {
  hasErrors,
  MOST_PROBLEMS,
  type Diagnostic,
  type Result,
} from "../diagnostics/diagnostic.ts";
import type { Source } from "../source/source-file.ts";
import { checkCommon } from "./check-arguments.ts";
import { checkSettingsSecrets } from "./check-secrets.ts";
import { checkServer } from "./check-server.ts";
import { checkSize } from "./check-size.ts";
import { validateShape } from "./validate-shape.ts";

/** A file whose shape and entries are in order. Absent keys stay absent. */
export interface Document {
  readonly source: Source;
  readonly value: MachineFile;
}

const machineOnly = Object.keys(machineFile.shape).filter(
  (key) => !(key in projectFile.shape),
);

/** Validates a file of the machine or of a project. */
export function validateFile(
  source: Source,
  kind: "machine" | "project",
): Result<Document> {
  // What is too much is not looked at: that could take very long.
  const tooMany = checkSize(source);
  if (tooMany.length > 0) return { value: null, diagnostics: tooMany };
  const shaped =
    kind === "machine"
      ? validateShape(source, machineFile, [])
      : validateShape(source, projectFile, machineOnly);
  const diagnostics: Diagnostic[] = [...shaped.diagnostics];
  for (const [name, entry] of wellShaped(source, shaped.value))
    if (diagnostics.length < MOST_PROBLEMS)
      for (const each of checkServer(source, name, entry))
        diagnostics.push(each);
  // A project's file has none, or is refused for it.
  const value: MachineFile | null = shaped.value;
  if (value !== null)
    for (const each of checkCommon(source, value)) diagnostics.push(each);
  for (const each of checkSettingsSecrets(source, value?.agents))
    diagnostics.push(each);
  return {
    value:
      shaped.value === null || hasErrors(diagnostics)
        ? null
        : { source, value: shaped.value },
    diagnostics,
  };
}

/** The entries that can be looked at: all, or in a file of the wrong shape those whose own shape is right. */
function wellShaped(
  source: Source,
  value: MachineFile | null,
): readonly (readonly [string, ServerEntry])[] {
  if (value !== null) return Object.entries(value.mcp ?? {});
  const mcp = (source.value as { readonly mcp?: unknown } | null)?.mcp;
  if (typeof mcp !== "object" || mcp === null || Array.isArray(mcp)) return [];
  return Object.entries(mcp).flatMap(([name, entry]) => {
    const shaped = serverShape.safeParse(entry);
    return shaped.success ? [[name, shaped.data] as const] : [];
  });
}
