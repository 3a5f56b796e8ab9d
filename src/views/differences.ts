// What would change and was not written, for people: each file's difference, and how many there are.
import type { Terminal } from "./terminal.ts";

/** `diffs`: unified differences, one a file that would change. */
export function printDifferences(
  view: Terminal,
  diffs: readonly string[],
  trusted: boolean,
): void {
  for (const diff of diffs) view.painted(view.diff(diff.replace(/\n$/, "")));
  view.note(
    diffs.length === 0
      ? "nothing would change"
      : `${diffs.length} ${diffs.length === 1 ? "file" : "files"} would change; nothing was written`,
  );
  if (!trusted)
    view.note(
      "the project is not trusted yet: `fenzi trust` shows what it adds",
    );
}
