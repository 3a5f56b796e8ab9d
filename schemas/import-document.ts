// What `fenzi mcp import --json` prints. A change of this shape is a new `formatVersion`.
import * as z from "zod";
import { diagnosticDocument } from "./diagnostic-document.ts";

/** Why a whole server was not imported. */
export const SERVER_REASONS = [
  "sse",
  "no-transport",
  "not-an-entry",
  "plain-http",
  "secret-in-url",
  "variable-in-url",
  "name-taken",
  "host-taken",
] as const;

/** Why one key of a server was not imported. */
export const KEY_REASONS = [
  "not-supported",
  "approval",
  "default",
  "other-transport",
  "other-server",
  "client-header",
  "not-a-token",
  "not-a-name",
  "not-a-value",
  "not-a-rule",
  "folder",
  "fragment",
] as const;

/** Why a server stays as it is. */
export const KEEP_REASONS = ["same", "different", "fenzi-guard"] as const;

/** What a file was recognised as, by its content. */
const SOURCE_FORMATS = [
  "mcpServers",
  "servers",
  "mcp.servers",
  "mcp.mcpServers",
  "map",
  "none",
  "unreadable",
] as const;

const name = z.string().describe("The server's name in fenzi.yaml.");
const rules = z.array(z.string());

const added = {
  name,
  from: z.string().describe("The file it was found in."),
  renamedFrom: z
    .string()
    .optional()
    .describe("Its name there, when it had to be changed."),
  args: rules.describe("The words after the program; references as `${NAME}`."),
  env: z.array(z.string()).describe("Names of variables."),
  headers: z.array(z.string()).describe("Names of headers, without the token."),
  cwd: z.string().nullable(),
  tools: z
    .strictObject({
      allow: z.union([z.literal("all"), rules]),
      ask: rules,
      deny: rules,
    })
    .describe("Which tools may be called."),
};

export const importDocument = z
  .strictObject({
    formatVersion: z.literal(1),
    sources: z
      .array(
        z.strictObject({ file: z.string(), format: z.enum(SOURCE_FORMATS) }),
      )
      .describe("The files that were read."),
    add: z
      .array(
        z.discriminatedUnion("transport", [
          z.strictObject({
            ...added,
            transport: z.literal("http"),
            url: z.string(),
          }),
          z.strictObject({
            ...added,
            transport: z.literal("stdio"),
            command: z.string().describe("The program."),
          }),
        ]),
      )
      .describe("Servers that are added."),
    keep: z
      .array(
        z.strictObject({
          name,
          reason: z.enum(KEEP_REASONS),
          file: z.string(),
          line: z.int().positive(),
        }),
      )
      .describe(
        "Servers that are there already; file and line of the one that stays.",
      ),
    dropped: z
      .array(
        z.union([
          z.strictObject({
            name: z.string().describe("The server's name in its file."),
            reason: z.enum(SERVER_REASONS),
          }),
          z.strictObject({
            name,
            key: z.string().describe("The key of the server that was left."),
            reason: z.enum(KEY_REASONS),
          }),
        ]),
      )
      .describe("Servers, and keys of added servers, that are left out."),
    tokens: z
      .array(
        z.strictObject({
          name,
          where: z.string().describe("The key in which the secret stood."),
          variable: z
            .string()
            .optional()
            .describe("The variable that holds it, or has to."),
        }),
      )
      .describe("Secrets, none of which was copied."),
    diagnostics: z.array(diagnosticDocument),
  })
  .describe("What `fenzi mcp import` does, or would do.");

export type ImportDocument = z.infer<typeof importDocument>;
export type ServerReason = (typeof SERVER_REASONS)[number];
export type KeyReason = (typeof KEY_REASONS)[number];
export type KeepReason = (typeof KEEP_REASONS)[number];
export type SourceFormat = (typeof SOURCE_FORMATS)[number];
