// The JSON Schemas that Fenzi publishes: which shape each is generated from, and for which command's document it is.
import * as z from "zod";
import { checkDocument } from "../../schemas/check-document.ts";
import {
  applyDocument,
  compileDocument,
} from "../../schemas/compile-document.ts";
import { explainDocument } from "../../schemas/explain-document.ts";
import { machineFile, projectFile } from "../../schemas/fenzi.ts";
import { gatewayDocument } from "../../schemas/gateway-document.ts";
import { importDocument } from "../../schemas/import-document.ts";
import { listDocument } from "../../schemas/list-document.ts";
import { lockFile } from "../../schemas/lock.ts";
import { logRow } from "../../schemas/log-row.ts";
import { toolsDocument } from "../../schemas/tools-document.ts";
import { usageDocument } from "../../schemas/usage-document.ts";

interface Published {
  readonly shape: z.ZodType;
  /** The words of the command that prints it; null for a file that people write. */
  readonly command: readonly string[] | null;
  /** One a line. */
  readonly lines?: true;
}

/** By name of the file, `schemas/NAME.schema.json`. */
export const published: Readonly<Record<string, Published>> = {
  fenzi: { shape: projectFile, command: null },
  machine: { shape: machineFile, command: null },
  lock: { shape: lockFile, command: null },
  list: { shape: listDocument, command: ["mcp", "list"] },
  import: { shape: importDocument, command: ["mcp", "import"] },
  compile: { shape: compileDocument, command: ["compile"] },
  apply: { shape: applyDocument, command: ["apply"] },
  explain: { shape: explainDocument, command: ["explain"] },
  gateway: { shape: gatewayDocument, command: ["gateway"] },
  log: { shape: logRow, command: ["logs"], lines: true },
  check: { shape: checkDocument, command: ["check"] },
  tools: { shape: toolsDocument, command: ["mcp", "tools"] },
  // Of every command, when its words are wrong: `documentOf([])`.
  usage: { shape: usageDocument, command: [] },
};

/** The text of `schemas/NAME.schema.json`. */
export const schemaText = (name: string): string => {
  const entry = published[name];
  if (entry === undefined) throw new TypeError(`no schema \`${name}\``);
  const { $schema, ...rest } = z.toJSONSchema(entry.shape, { io: "input" });
  return `${JSON.stringify({ $schema, $id: `${BASE}${name}.schema.json`, ...rest }, null, 2)}\n`;
};

const BASE = "urn:fenzi:schema:";

/** The document that a command line prints with `--json`, or null. */
export const documentOf = (args: readonly string[]): string | null =>
  Object.entries(published).find(
    ([, { command }]) =>
      command !== null && command.every((word, i) => args[i] === word),
  )?.[0] ?? null;
