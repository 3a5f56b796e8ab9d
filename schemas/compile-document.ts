// What `fenzi compile --json` prints.
import * as z from "zod";
import { documentMembers, layerName } from "./diagnostic-document.ts";

const rules = z.array(z.string());

const compiledFile = z.strictObject({
  path: z.string().describe("Absolute path on this machine."),
  change: z.enum(["create", "update", "delete", "same"]),
  diff: z.string().describe("A unified diff; empty for `same`."),
  content: z
    .string()
    .nullable()
    .describe("The file as it will be; null for one that is deleted."),
});

export const launch = z
  .strictObject({
    argv: z.array(z.string()).min(1),
    env: z.record(z.string(), z.string()),
    needs: z.array(z.string()).describe("Variables that the caller must set."),
    cwd: z.string(),
  })
  .describe("How to start the agent so that it uses only these servers.");

const compiledAgent = z.strictObject({
  agent: z.string(),
  dir: z.string().describe("The compiled folder on this machine."),
  files: z.array(compiledFile),
  launch,
});

const serverPolicy = z
  .strictObject({
    server: z.string(),
    transport: z.enum(["http", "stdio"]),
    scheme: z.enum(["http", "https", "unix", "pipe"]).nullable(),
    host: z.string().nullable(),
    port: z.int().nullable(),
    path: z.string().nullable(),
    methods: z.array(z.string()).describe("The MCP methods that are allowed."),
    tools: z
      .array(
        z.strictObject({
          layer: layerName,
          allow: z
            .union([z.literal("all"), rules])
            .nullable()
            .describe("Null when the layer says nothing."),
          ask: rules,
          deny: rules,
        }),
      )
      .describe(
        "The rules of each layer; a call must be allowed by every layer that lists tools, and denied by none.",
      ),
    tokenEnv: z.string().nullable(),
    token: z
      .strictObject({
        header: z.string(),
        scheme: z.enum(["bearer", "header"]),
      })
      .nullable(),
    localRules: z.array(z.never()).describe("Nothing yet."),
  })
  .describe("What a sandbox around the agent must enforce for one server.");

export const compileDocument = z
  .strictObject({
    ...documentMembers,
    agents: z.array(compiledAgent),
    policy: z.array(serverPolicy),
  })
  .describe("What `fenzi compile --json` prints.");

const appliedFile = compiledFile.extend({
  diff: z
    .string()
    .describe(
      "A unified diff of what is Fenzi's, in the keys that hold it, as it was and as it will be; nothing else of the file. Empty for `same`.",
    ),
  content: z.null().describe("The file is also the user's."),
});

export const applyDocument = z
  .strictObject({
    ...documentMembers,
    agents: z.array(
      compiledAgent.extend({
        dir: z.string().describe("The project's folder."),
        files: z.array(appliedFile),
        launch: launch.describe(
          "How to start the agent; it reads its own files of the project.",
        ),
      }),
    ),
    policy: z.array(serverPolicy),
  })
  .describe("What `fenzi apply --json` prints.");
