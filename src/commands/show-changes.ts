// What has changed of a server since it was pinned, in words: the allowed tools and the instructions.
import type { Paint } from "../diagnostics/render.ts";
import { wrap } from "../diagnostics/wrap.ts";
import { canonicalJson } from "../enforce/canonical-json.ts";
import type { PinnedTexts } from "../state/pins.ts";
import { definitionDiff } from "../views/definition-diff.ts";
import type { Seen } from "./look-at.ts";

const WIDTH = 80;

/** The words of each change. `texts` are those that were pinned, null where only their hashes are known. */
export function changeLines(
  { compared, clean }: Seen,
  texts: PinnedTexts | null,
  paint: Paint,
): readonly string[] {
  const changed = (what: string, before: string | null, source: string) => [
    "",
    paint.bold(`${what} has changed:`),
    ...(before === null
      ? wrap(
          "what it was is not known here: only its hash was pinned",
          WIDTH - 2,
        ).map((line) => `  ${line}`)
      : definitionDiff(before, clean(canonicalJson(source) ?? source), {
          width: WIDTH - 2,
          paint,
        }).map((line) => `  ${line}`)),
  ];
  const { tools, instructions } = compared;
  return [
    ...tools
      .filter(({ pinned, problem }) => pinned === "changed" && problem === null)
      .filter(({ ruled }) => ruled.effect !== "deny")
      .flatMap(({ name, shown, source }) =>
        changed(shown, texts?.tools.get(name) ?? null, source),
      ),
    ...(instructions.state === "changed" && instructions.source !== null
      ? changed(
          "what it tells the model",
          // It had none.
          texts === null ? null : (texts.instructions ?? '""'),
          instructions.source,
        )
      : []),
  ];
}
