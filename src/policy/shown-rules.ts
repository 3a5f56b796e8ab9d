// The rules of all layers in one list, for showing what holds: a name is in it only when every layer allows it.
import { globsMeet, isPattern } from "../match/tool-pattern.ts";
import type { Server, ToolLayer } from "../model/model.ts";
import { decide, NO_COMMON_RULES, preparePolicy } from "./decide.ts";

export interface ShownRules {
  readonly allow: "all" | readonly string[];
  readonly ask: readonly string[];
  readonly deny: readonly string[];
}

/**
 * `allow`: the names that are not refused, and the patterns of the innermost list as far as every outer list leaves
 * something of them. Rules that hold whether or not the server is switched on.
 */
export function shownRules(server: Server): ShownRules {
  const limits = server.tools.flatMap((layer) =>
    layer.allow.kind === "only"
      ? [layer.allow.rules.map((rule) => rule.text)]
      : [],
  );
  const rules = (pick: (layer: ToolLayer) => ToolLayer["ask"]) => [
    ...new Set(server.tools.flatMap((layer) => pick(layer).map((r) => r.text))),
  ];
  const [ask, deny] = [rules((l) => l.ask), rules((l) => l.deny)];
  const inner = limits.at(-1);
  if (inner === undefined) return { allow: "all", ask, deny };
  const on = { ...server, enabled: { ...server.enabled, value: true } };
  const policy = preparePolicy(on, NO_COMMON_RULES);
  const allow = [...new Set([...inner, ...limits.flat()])].filter((rule) =>
    isPattern(rule)
      ? inner.includes(rule) &&
        limits.every((outer) => outer.some((other) => globsMeet(other, rule)))
      : decide(policy, { tool: rule }).effect !== "deny",
  );
  return { allow, ask, deny };
}
