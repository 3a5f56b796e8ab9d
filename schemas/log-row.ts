// One line of `fenzi logs --json`.
import * as z from "zod";

const count = z.number().min(0);

export const logRow = z
  .strictObject({
    formatVersion: z.literal(1),
    time: z.string().describe("When it was decided: ISO 8601, in UTC."),
    run: z.string().describe("Which gateway or guard decided."),
    agent: z.string().nullable().describe("Null when it is not known."),
    server: z.string(),
    effect: z.enum(["allow", "ask", "deny"]).describe("What happened."),
    http: z
      .string()
      .nullable()
      .describe(
        "Method, host and path, as in `POST mcp.example.com/mcp`; null when it did not come over HTTP.",
      ),
    method: z
      .string()
      .nullable()
      .describe("Of MCP; null when the message could not be read."),
    tool: z.string().nullable(),
    arguments: z
      .array(z.string())
      .max(32)
      .describe("Names of the call's arguments; never a value."),
    reason: z.string().describe("Words, with the position of the rule."),
    rule: z
      .string()
      .describe("What decided, such as `tools.deny`, `method` or `malformed`."),
    bytes: count.describe("Size of the message."),
    ms: count.describe("Milliseconds from its arrival to the decision."),
  })
  .describe("One line of what `fenzi logs --json` prints.");
