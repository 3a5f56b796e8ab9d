// What a server may be only when the machine or the team defines it: behind a socket of this machine, or started in
// whatever project is open.
import { report } from "../diagnostics/catalog.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { isOuterLayer } from "../match/outer-layer.ts";
import type { LayerEntry } from "./layer.ts";

export function checkOuterOnly(
  name: string,
  { layer, entry, at }: LayerEntry,
): readonly Diagnostic[] {
  if (isOuterLayer(layer)) return [];
  const no = (key: "url" | "allowSystemSocket" | "cwd", what: string) =>
    report(
      "merge/outer-only",
      { name, what },
      {
        at: at("value", key).at,
        help:
          key === "cwd"
            ? "leave it out: the server of a project starts in the folder of its file"
            : "define the server in the machine file: `fenzi mcp add --machine`",
      },
    );
  return [
    ...(/^(?:unix|pipe):/i.test(entry.url ?? "")
      ? [no("url", "a socket or pipe as `url`")]
      : []),
    ...(entry.allowSystemSocket === undefined
      ? []
      : [no("allowSystemSocket", "`allowSystemSocket`")]),
    ...(entry.cwd === "project" ? [no("cwd", "`cwd: project`")] : []),
  ];
}
