// A unified diff of one change, with `/dev/null` for absent sides. Computed only where it is shown.
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";
import type { Change } from "./plan.ts";

export function unifiedDiff({
  path,
  before,
  text: after,
}: Pick<Change, "path" | "before" | "text">): string {
  if (before === after) return "";
  const patch = createTwoFilesPatch(
    before === null ? "/dev/null" : path,
    after === null ? "/dev/null" : path,
    before ?? "",
    after ?? "",
    undefined,
    undefined,
    { context: 3, headerOptions: FILE_HEADERS_ONLY },
  );
  return patch.replace(/^(---|\+\+\+) (.*?)\t?$/gm, "$1 $2");
}
