// Whether rules leave nothing to call, as far as that can be known without the server: a door that would refuse
// everything need not be opened.
import type { Server, ToolRule } from "../model/model.ts";
import { decide, type Policy } from "./decide.ts";

const isPattern = ({ text }: ToolRule): boolean => text.includes("*");

export function leavesNoTool(server: Server, policy: Policy): boolean {
  if (
    server.tools.some(({ deny }) => deny.some(({ text }) => text === "*")) ||
    server.tools.every(({ allow }) => allow.kind === "silent")
  )
    return true;
  // A list of exact names says all that there can be; a pattern may mean names that nobody knows.
  return server.tools.some(
    ({ allow }) =>
      allow.kind === "only" &&
      !allow.rules.some(isPattern) &&
      allow.rules.every(
        ({ text }) => decide(policy, { tool: text }).effect === "deny",
      ),
  );
}
