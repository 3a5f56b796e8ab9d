// A unified diff of one change, with `/dev/null` for absent sides. Computed only where it is shown.
import { createTwoFilesPatch, OMIT_HEADERS } from "diff";
import { visibleWhole } from "../diagnostics/visible.ts";
import type { Change } from "./plan.ts";

export function unifiedDiff({
  path,
  before,
  text: after,
}: Pick<Change, "path" | "before" | "text">): string {
  if (before === after) return "";
  const patch = createTwoFilesPatch(
    "",
    "",
    before ?? "",
    after ?? "",
    undefined,
    undefined,
    { context: 3, headerOptions: OMIT_HEADERS },
  );
  // The library would write other letters than ASCII as numbers.
  const name = (text: string | null) =>
    text === null ? "/dev/null" : visibleWhole(path);
  return `--- ${name(before)}\n+++ ${name(after)}\n${patch}`;
}
