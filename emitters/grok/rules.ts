// The filters as permission rules. A rule names the tool as Grok composes it, `SERVER__TOOL`, and is a pattern in which case does
// not count. A tool without a rule is asked about, which ends a run without a person and which a trusted repository can
// answer for everybody: so every tool that is not listed is refused by rules of its own.
import { report } from "../../src/diagnostics/catalog.ts";
import type { Diagnostic } from "../../src/diagnostics/diagnostic.ts";
import type {
  Delivered,
  Filter,
  FilterReach,
} from "../../src/model/delivered.ts";
import { othersThan } from "./others-than.ts";
import type { RequirementsFile } from "./shape.ts";

export const reach: FilterReach = {
  // Further patterns would let in what differs from the policy's in case, and leave no way to say the others.
  allow: "prefix",
  ask: "pattern",
  deny: "pattern",
  kept: null,
};

type Permission = RequirementsFile["permission"];

export function permission(servers: readonly Delivered[]): Permission {
  const said = servers.map(({ name, filter }) => ({
    name,
    rules: rulesOf(filter),
  }));
  const list = (effect: keyof Permission) => [
    ...new Set(
      said.flatMap(({ name, rules }) =>
        rules[effect].map((tool) => `MCPTool(${name}__${tool})`),
      ),
    ),
  ];
  return { allow: list("allow"), ask: list("ask"), deny: list("deny") };
}

/**
 * The rules for tools that a guard stands before. It refuses what is not allowed, and says why; a rule for only some would
 * end a run without a person as soon as the model names another.
 */
export function guardedPermission(servers: readonly Delivered[]): Permission {
  const list = (effect: "ask" | "deny") => [
    ...new Set(
      servers.flatMap(({ name, filter }) =>
        filter[effect]
          .filter(isOffered)
          .map((tool) => `MCPTool(${name}__${tool})`),
      ),
    ),
  ];
  return {
    allow: servers.map(({ name }) => `MCPTool(${name}__*)`),
    ask: list("ask"),
    deny: list("deny"),
  };
}

/** Two names that are alike but for case are one for Grok's rules: the second is not offered. */
export const ruleProblems = (
  servers: readonly Delivered[],
  agent: string,
): readonly Diagnostic[] =>
  servers.flatMap(({ name, filter, origin }) =>
    rulesOf(filter).left.map((rule) =>
      report(
        "deliver/tools-left-out",
        { rule, agent, server: name, effect: "allow" },
        { at: origin.at },
      ),
    ),
  );

function rulesOf(
  filter: Filter,
): Permission & { readonly left: readonly string[] } {
  const allow = filter.allow.filter(isOffered);
  const ask = filter.ask.filter(isOffered);
  const deny = filter.deny.filter(isOffered);
  if (filter.everything) return { allow: ["*"], ask, deny, left: [] };
  const { patterns, left } = othersThan([...allow, ...ask.filter(isPrefix)]);
  const isSaid = (tool: string) => !left.includes(tool);
  return {
    allow: allow.filter(isSaid),
    ask: ask.filter(isSaid),
    deny: [...deny, ...patterns],
    left,
  };
}

/** Grok offers no tool whose name has another character, and would read some of them as part of a pattern. */
const isOffered = (tool: string) => /^[A-Za-z0-9_*-]+$/.test(tool);

/** Where another pattern asks, one of these allows. */
const isPrefix = (tool: string) => /^[^*]*\**$/.test(tool);
