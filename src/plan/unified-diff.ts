// A unified diff of one file, with `/dev/null` for absent sides.
import { createTwoFilesPatch } from "diff";

export function unifiedDiff(
  path: string,
  before: string | null,
  after: string | null,
): string {
  if (before === after) return "";
  const patch = createTwoFilesPatch(
    before === null ? "/dev/null" : path,
    after === null ? "/dev/null" : path,
    before ?? "",
    after ?? "",
    undefined,
    undefined,
    { context: 3 },
  );
  // The library opens with a line of `=`; what follows is the diff as `diff -u` prints it.
  return patch
    .replace(/^=+\r?\n/, "")
    .replace(/^(---|\+\+\+) (.*?)\t?$/gm, "$1 $2");
}
