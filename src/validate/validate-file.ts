// One file: its shape, then what its entries say about themselves. What files say about each other is `src/merge`.
import {
  machineFile,
  projectFile,
  type MachineFile,
} from "../../schemas/fenzi.ts";
import {
  hasErrors,
  type Diagnostic,
  type Result,
} from "../diagnostics/diagnostic.ts";
import type { Source } from "../source/source-file.ts";
import { checkServer } from "./check-server.ts";
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
  const shaped =
    kind === "machine"
      ? validateShape(source, machineFile, [])
      : validateShape(source, projectFile, machineOnly);
  if (shaped.value === null)
    return { value: null, diagnostics: shaped.diagnostics };
  const diagnostics: Diagnostic[] = [];
  for (const [name, entry] of Object.entries(shaped.value.mcp ?? {}))
    diagnostics.push(...checkServer(source, name, entry));
  return {
    value: hasErrors(diagnostics) ? null : { source, value: shaped.value },
    diagnostics,
  };
}
