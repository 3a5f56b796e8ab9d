// What `fenzi check --json` prints.
import * as z from "zod";
import { documentMembers } from "./diagnostic-document.ts";

export const checkDocument = z
  .strictObject({
    ...documentMembers,
    ok: z.boolean().describe("No errors; with `--strict` no warnings either."),
    hash: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .nullable()
      .describe(
        "What `--trust=SHA256` pins: the files of the repository that count here. Null without any.",
      ),
  })
  .describe("What `fenzi check --json` prints.");
