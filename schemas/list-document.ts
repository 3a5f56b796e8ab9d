// What `fenzi mcp list --json` prints.
import * as z from "zod";
import {
  documentMembers,
  layerName,
  originMembers,
} from "./diagnostic-document.ts";

const rules = z.array(z.string());

const members = {
  name: z.string(),
  origin: z.strictObject(originMembers),
  enabled: z.boolean(),
  trusted: z
    .boolean()
    .describe("False for a server of a repository's file that nobody trusted."),
  tools: z.strictObject({
    allow: z.union([z.literal("all"), rules]),
    ask: rules,
    deny: rules,
  }),
  narrowedBy: z
    .array(
      z.strictObject({
        ...originMembers,
        what: z.string().describe("The key, such as `tools.deny`."),
      }),
    )
    .describe("What inner files say about it, outermost first."),
  token: z.enum(["none", "stored", "missing", "oauth"]),
  store: z
    .string()
    .nullable()
    .describe("Where the token was found; null without one."),
  tokenEnv: z
    .string()
    .nullable()
    .describe("The variable from which an agent takes the token."),
};

const listedServer = z.union([
  z.strictObject({
    ...members,
    transport: z.literal("http"),
    url: z.string(),
  }),
  z.strictObject({
    ...members,
    transport: z.literal("stdio"),
    command: z.array(z.string()).min(1),
  }),
]);

export const listDocument = z
  .strictObject({
    ...documentMembers,
    project: z.string().describe("The project's folder, absolute."),
    trusted: z.boolean().describe("Nothing here waits for trust."),
    layers: z.array(z.strictObject({ layer: layerName, file: z.string() })),
    servers: z.array(listedServer).describe("Sorted by name."),
  })
  .describe("What `fenzi mcp list --json` prints.");
