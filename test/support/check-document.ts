// Whether a printed JSON document is what its published JSON Schema says.
import { Ajv2020 } from "ajv/dist/2020.js";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { documentOf, published } from "./published-schemas.ts";

const SCHEMAS = join(import.meta.dirname, "..", "..", "schemas");
const ajv = new Ajv2020({
  allErrors: true,
  strict: true,
  allowUnionTypes: true,
});

/** Problems of the document, or of each of the lines, that this command line printed. */
export function documentProblems(
  args: readonly string[],
  stdout: string,
): readonly string[] {
  const name = documentOf(args);
  if (name === null) return [`no schema for \`${args.join(" ")}\``];
  const documents =
    published[name]?.lines === true
      ? stdout.split("\n").slice(0, -1)
      : [stdout];
  return documents.flatMap((text) => problemsOf(name, text));
}

function problemsOf(name: string, text: string): readonly string[] {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    return [`not one JSON document: ${String(error)}`];
  }
  const id = `${name}.schema.json`;
  const validate =
    ajv.getSchema(id) ??
    ajv.compile({
      ...JSON.parse(readFileSync(join(SCHEMAS, id), "utf8")),
      $id: id,
    });
  return validate(document)
    ? []
    : (validate.errors ?? []).map(
        (e) => `${id}: ${e.instancePath} ${e.message ?? ""}`,
      );
}
