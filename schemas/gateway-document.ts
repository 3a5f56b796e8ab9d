// What `fenzi gateway` prints, as one line, when it is ready.
import * as z from "zod";
import { documentMembers } from "./diagnostic-document.ts";
import { launch } from "./compile-document.ts";

export const gatewayDocument = z
  .strictObject({
    ...documentMembers,
    ready: z.literal(true),
    pid: z.int().describe("The gateway's process; SIGTERM ends it."),
    servers: z
      .record(z.string(), z.strictObject({ url: z.string() }))
      .describe(
        "Addresses of the remote servers for programs that are no agent. They hold a key: whoever has it may call.",
      ),
    model: z
      .record(z.string(), z.strictObject({ url: z.string() }))
      .describe(
        "Addresses of the agents' models; empty until they are served.",
      ),
    agents: z
      .record(
        z.string(),
        z.strictObject({
          dir: z
            .string()
            .describe(
              "The agent's folder; it is removed when the gateway ends.",
            ),
          launch,
        }),
      )
      .describe("How to start each agent so that it uses only this gateway."),
  })
  .describe("The one line that `fenzi gateway` prints.");
