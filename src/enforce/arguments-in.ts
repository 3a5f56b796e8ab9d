// The arguments of a call that is only asked about, read as strictly as those of one that is made.
import type { CallArguments } from "../policy/argument-rules.ts";
import type { Policy } from "../policy/decide.ts";
import { callArguments } from "./call-arguments.ts";
import type { Facts } from "./facts.ts";
import { scanJson } from "./json-scan.ts";
import { AROUND_ARGUMENTS, MAX_DEPTH, MAX_MEMBERS } from "./message.ts";

/** What they hold, or null when they could not be a part of a message. No rate is taken to be spent. */
export function argumentsIn(
  policy: Policy,
  facts: Facts,
  text: string,
): CallArguments | null {
  const scan = scanJson(text, {
    depth: MAX_DEPTH - AROUND_ARGUMENTS,
    members: MAX_MEMBERS,
    keep: 1,
    nodes: 4 * MAX_MEMBERS,
  });
  if ("problem" in scan || scan.root.kind !== "object" || scan.loneSurrogate)
    return null;
  return {
    ...callArguments(policy.arguments, facts, text, scan.root, {
      shown: () => true,
      isText: () => false,
    }),
    spent: [],
  };
}
