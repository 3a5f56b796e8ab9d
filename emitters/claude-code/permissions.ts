// The filters as permission rules. A rule names the tool as Claude Code composes it, `mcp__SERVER__TOOL`; `*` stands for any
// run of characters, case counts, and `mcp__SERVER` alone is every tool of the server.
import type { Delivered, FilterReach } from "../../src/model/delivered.ts";
import type { SettingsFile } from "./shape.ts";

export const reach: FilterReach = {
  allow: "pattern",
  ask: "pattern",
  deny: "pattern",
  kept: /[A-Za-z0-9_-]/,
};

/** One `_` for each UTF-16 unit that Claude Code does not keep in a name. */
const spelled = (tool: string): string => tool.replace(/[^A-Za-z0-9_*-]/g, "_");

export function permissions(
  servers: readonly Delivered[],
): SettingsFile["permissions"] {
  const rules = (tools: (server: Delivered) => readonly string[]) => [
    ...new Set(
      servers.flatMap((server) =>
        tools(server).map((tool) => `mcp__${server.name}__${spelled(tool)}`),
      ),
    ),
  ];
  return {
    allow: [
      ...servers
        .filter(({ filter }) => filter.everything)
        .map(({ name }) => `mcp__${name}`),
      ...rules(({ filter }) => filter.allow),
    ],
    ask: rules(({ filter }) => filter.ask),
    deny: rules(({ filter }) => filter.deny),
  };
}
