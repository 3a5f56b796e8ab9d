// The filter as lists of names. Codex compares them exactly, in the server's own spelling, for all three; only how it names
// a tool to the model is its own.
import type { Filter, FilterReach } from "../../src/model/delivered.ts";
import type { CodexTools } from "./shape.ts";

export const reach: FilterReach = {
  allow: "exact",
  ask: "exact",
  deny: "exact",
  kept: null,
};

export const toolRules = ({
  everything,
  allow,
  ask,
  deny,
}: Filter): CodexTools => ({
  required: true,
  default_tools_approval_mode: "approve",
  ...(everything
    ? {}
    : { enabled_tools: [...new Set([...allow, ...ask])].sort() }),
  ...(deny.length === 0 ? {} : { disabled_tools: deny }),
  ...(ask.length === 0
    ? {}
    : {
        tools: Object.fromEntries(
          ask.map((tool) => [tool, { approval_mode: "prompt" as const }]),
        ),
      }),
});
