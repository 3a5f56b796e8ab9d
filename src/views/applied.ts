// What `fenzi apply` did or would do, for people and for programs. Of a file that is also the user's only what is ours is
// shown, inside the keys that hold it.
import type { Launch } from "../model/delivered.ts";
import type { Server } from "../model/model.ts";
import type { SharedChange, SharedPlan } from "../plan/plan-shared.ts";
import { unifiedDiff } from "../plan/unified-diff.ts";
import { documentOf } from "./compiled.ts";
import { printDifferences } from "./differences.ts";
import type { Terminal } from "./terminal.ts";

interface Agent {
  readonly agent: string;
  readonly launch: Launch;
  /** What has to be true before the agent reads its project files, in words; null: nothing. */
  readonly condition: string | null;
}

interface ShownApply {
  /** Print the differences instead of what was written. */
  readonly diffs: boolean;
  readonly revert: boolean;
  readonly trusted: boolean;
}

export function printApplied(
  view: Terminal,
  agents: readonly Agent[],
  plans: readonly SharedPlan[],
  shown: ShownApply,
): void {
  const changes = plans
    .flatMap((p) => p.changes)
    .filter((c) => c.change !== "same");
  if (shown.diffs) {
    printDifferences(view, changes.map(ownDiff), shown.trusted);
    return;
  }
  for (const { agent, condition } of agents) {
    const own = plans.find((p) => p.agent === agent)?.changes ?? [];
    const written = own.filter((c) => c.change !== "same");
    view.painted(
      `${view.paint.bold(agent)}  ${
        written.length === 0
          ? "unchanged"
          : `${shown.revert ? "taken out of" : "written to"} ${written.map((c) => view.show(c.path)).join(", ")}`
      }`,
    );
    if (written.length > 0 && condition !== null && !shown.revert)
      view.out(`  ${condition}`);
  }
  if (changes.length > 0) view.note("agents read this at their next start");
}

export const appliedDocument = (
  servers: readonly Server[],
  methods: readonly string[],
  agents: readonly Agent[],
  plans: readonly SharedPlan[],
) =>
  documentOf(
    servers,
    methods,
    agents.map(({ agent, launch }) => {
      const plan = plans.find((p) => p.agent === agent);
      return {
        agent,
        dir: plan?.project ?? "",
        files: (plan?.changes ?? []).map((change) => ({
          path: change.path,
          change: change.change,
          diff: ownDiff(change),
          content: null,
        })),
        launch,
      };
    }),
  );

const ownDiff = ({ path, change, view }: SharedChange): string =>
  change === "same"
    ? ""
    : unifiedDiff({
        path,
        before: change === "create" ? null : view.before,
        text: change === "delete" ? null : view.after,
      });
