// The shape of fenzi.lock, which `fenzi mcp pin` writes beside a fenzi.yaml. The published JSON Schema is made from it.
import * as z from "zod";

const hash = z
  .string()
  .regex(/^sha256:[0-9a-f]{64}$/)
  .describe("`sha256:` and the SHA-256 of the canonical JSON (RFC 8785).");

export const lockFile = z
  .strictObject({
    servers: z
      .record(
        z.string(),
        z.strictObject({
          instructions: hash
            .optional()
            .describe(
              "Of the server's `instructions`; absent when it had none.",
            ),
          tools: z
            .record(z.string(), hash)
            .describe("Of each allowed tool's whole definition, by its name."),
        }),
      )
      .describe("By the name that a server has in the files."),
    version: z
      .literal(1)
      .describe("The last line: a file that was cut short has none."),
  })
  .describe("The pinned tool definitions of a project, in git.");
