// The server entries of other tools' JSON files, as loosely as they are written: Claude Code and Desktop, Cursor,
// VS Code, Windsurf, Gemini, Roo, Kiro and their kin. Unknown keys are kept; only the known ones must have a readable
// type, for half an entry must not be taken for a whole one.
import * as z from "zod";

const scalar = z.union([z.string(), z.number(), z.boolean()]);
const list = z.array(scalar);
const text = z.string().nullish();
const texts = z.record(z.string(), z.union([scalar, z.null()])).nullish();
const variables = z.union([texts, z.array(z.string())]);
const rules = z.union([list, z.string()]).nullish();

export const foreignServer = z.looseObject({
  type: text,
  transport: text,
  transportType: text,
  command: z.union([z.string(), z.array(z.string())]).nullish(),
  args: list.nullish(),
  env: variables,
  environment: variables,
  url: text,
  httpUrl: text,
  serverUrl: text,
  headers: texts,
  cwd: text,
  enabledTools: rules,
  enabled_tools: rules,
  includeTools: rules,
  allowedTools: rules,
  disabledTools: rules,
  disabled_tools: rules,
  excludeTools: rules,
  disallowedTools: rules,
});

/** What each known key must be, in words. */
export const FOREIGN_TYPES: Readonly<
  Record<keyof typeof foreignServer.shape, string>
> = {
  type: "text",
  transport: "text or an object",
  transportType: "text",
  command: "text or a list of texts",
  args: "a list of texts",
  env: "an object of texts",
  environment: "an object of texts",
  url: "text",
  httpUrl: "text",
  serverUrl: "text",
  headers: "an object of texts",
  cwd: "text",
  enabledTools: "a list of tool names",
  enabled_tools: "a list of tool names",
  includeTools: "a list of tool names",
  allowedTools: "a list of tool names",
  disabledTools: "a list of tool names",
  disabled_tools: "a list of tool names",
  excludeTools: "a list of tool names",
  disallowedTools: "a list of tool names",
};
