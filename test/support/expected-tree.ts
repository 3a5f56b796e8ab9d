// What a case's `expected/` folder holds: the streams, and every file that the commands made or changed.
import { visibleWhole } from "../../src/diagnostics/visible.ts";
import type { Tree } from "./folder-tree.ts";
import type { CaseResult, StepResult } from "./run-case.ts";

/** Streams as `stdout.txt` and `stderr.txt`, files below `files/`, removed ones in `removed.txt`; nothing empty. */
export function expectedTree(result: CaseResult): Tree {
  const tree = new Map<string, string>();
  const add = (path: string, text: string) => {
    if (text !== "") tree.set(path, text);
  };
  add("stdout.txt", stream(result.steps, "stdout"));
  add("stderr.txt", stream(result.steps, "stderr"));
  add("removed.txt", result.gone.map((path) => `${path}\n`).join(""));
  for (const [path, text] of result.changed) tree.set(`files/${path}`, text);
  return new Map([...tree].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** With several commands each is named above what it printed. */
const stream = (
  steps: readonly StepResult[],
  which: "stdout" | "stderr",
): string =>
  steps.length === 1
    ? (steps[0]?.[which] ?? "")
    : steps
        .filter((s) => s[which] !== "")
        .map(
          (s) => `$ fenzi ${visibleWhole(s.step.args.join(" "))}\n${s[which]}`,
        )
        .join("");
