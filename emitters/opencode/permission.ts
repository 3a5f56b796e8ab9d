// The filters as OpenCode's ordered rules. A rule names the tool as OpenCode composes it, `SERVER_TOOL`; `*` stands for any
// run of characters, case counts, and the last rule that matches wins.
import type { Delivered, FilterReach } from "../../src/model/delivered.ts";
import type { Action, ConfigFile } from "./shape.ts";

export const reach: FilterReach = {
  allow: "pattern",
  ask: "pattern",
  deny: "pattern",
  kept: /[A-Za-z0-9_-]/,
};

/**
 * Rules of OpenCode's own whose names read like a tool of a server called `external`, `doom`, `plan` or `workflow`. For such
 * a server they are set again after its rules, no wider than OpenCode has them.
 */
const OWN: readonly (readonly [string, Action])[] = [
  ["doom_loop", "ask"],
  ["external_directory", "ask"],
  ["plan_enter", "deny"],
  ["plan_exit", "deny"],
  ["workflow_tool_approval", "ask"],
];

/** One `_` for each UTF-16 unit that OpenCode does not keep in a name. */
const spelled = (tool: string): string => tool.replace(/[^A-Za-z0-9_*-]/g, "_");

export function permission(
  servers: readonly Delivered[],
): ConfigFile["permission"] {
  const rules = new Map<string, Action>();
  // A key that stands again moves to the end: its place is part of its meaning.
  const set = (rule: string, action: Action) => {
    rules.delete(rule);
    rules.set(rule, action);
  };
  for (const { name, filter } of servers) {
    set(`${name}_*`, filter.everything ? "allow" : "deny");
    for (const action of ["allow", "ask", "deny"] as const)
      for (const tool of filter[action])
        set(`${name}_${spelled(tool)}`, action);
  }
  for (const [rule, action] of OWN)
    if (servers.some(({ name }) => rule.startsWith(`${name}_`)))
      set(rule, action);
  return Object.fromEntries(rules);
}
