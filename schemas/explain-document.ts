// What `fenzi explain SERVER TOOL --json` prints.
import * as z from "zod";
import { documentMembers, originMembers } from "./diagnostic-document.ts";

export const reasonDocument = z.strictObject({
  rule: z.string().describe("The key that decided, such as `tools.deny`."),
  message: z.string(),
  ...originMembers,
});

export const explainDocument = z
  .strictObject({
    ...documentMembers,
    server: z.string(),
    tool: z.string(),
    effect: z
      .enum(["allow", "ask", "deny"])
      .nullable()
      .describe("Null when an error keeps it from being decided."),
    reasons: z
      .array(reasonDocument)
      .describe("At least one when there is an effect."),
  })
  .describe("What `fenzi explain SERVER TOOL --json` prints.");
