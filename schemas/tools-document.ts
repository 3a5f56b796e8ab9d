// What `fenzi mcp tools NAME --json` prints.
import * as z from "zod";
import { documentMembers } from "./diagnostic-document.ts";
import { reasonDocument } from "./explain-document.ts";

export const toolsDocument = z
  .strictObject({
    ...documentMembers,
    server: z.string(),
    tools: z
      .array(
        z.strictObject({
          name: z.string().describe("As the server spells it."),
          effect: z
            .enum(["allow", "ask", "deny"])
            .describe("What becomes of a call, pins included."),
          reasons: z.array(reasonDocument).min(1),
          pinned: z
            .enum(["same", "changed", "new"])
            .describe(
              "Its definition beside the pinned one; `new` when it is not pinned.",
            ),
          readOnly: z
            .boolean()
            .describe(
              "The server's own claim that it changes nothing. No rule follows from it.",
            ),
        }),
      )
      .describe("In the server's order; empty when it could not be asked."),
    unknown: z
      .array(
        z.strictObject({ rule: z.string(), nearest: z.string().nullable() }),
      )
      .describe("Rules that mean none of its tools."),
  })
  .describe("What `fenzi mcp tools NAME --json` prints.");
