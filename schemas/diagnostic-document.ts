// What every JSON document of Fenzi has: the version of its format, and what was found. The published JSON Schemas are
// generated from these shapes.
import * as z from "zod";

/** Where something stands: 1-based, or nothing at all. */
export const place = {
  file: z.string().nullable().describe("Absolute path."),
  line: z.int().min(1).nullable(),
  column: z.int().min(1).nullable().describe("In UTF-16 units."),
};

export const diagnosticDocument = z
  .strictObject({
    code: z
      .string()
      .describe("As `fenzi explain CODE` takes it, such as `merge/identity`."),
    severity: z.enum(["error", "warning", "note"]),
    message: z.string(),
    ...place,
    notes: z.array(z.strictObject({ message: z.string(), ...place })),
    help: z.string().nullable(),
  })
  .describe("One finding, with its place.");

/** Members of every document. A change of a document is a new `formatVersion`. */
export const documentMembers = {
  formatVersion: z.literal(1),
  diagnostics: z.array(diagnosticDocument),
};

export const layerName = z
  .enum(["team", "machine", "root", "project"])
  .describe("The kind of file, outermost first.");

/** Who said something, and where. */
export const originMembers = {
  layer: layerName,
  file: z.string().describe("Absolute path."),
  line: z.int().min(1),
  column: z.int().min(1),
};
