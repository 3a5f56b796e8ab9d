// What Grok would change or drop.
import { report } from "../../src/diagnostics/catalog.ts";
import type { Diagnostic } from "../../src/diagnostics/diagnostic.ts";
import { printTemplate } from "../../src/match/template.ts";
import type { Delivered, NamedValue } from "../../src/model/delivered.ts";

interface About {
  readonly agent: string;
  readonly project: string;
}

export const serverProblems = (
  servers: readonly Delivered[],
  about: About,
): readonly Diagnostic[] => [
  ...servers.flatMap(({ transport }) =>
    transport.kind === "http"
      ? transport.headers.flatMap((header) => changedHeader(header, about))
      : [],
  ),
  ...lostFolders(servers, about),
];

/** After all expansion these stand for the session's id, and beyond ASCII a header arrives as other bytes. */
const CHANGED = /\{\{session_id\}\}|\$\{session_id\}|[^\0-\x7f]/;

function changedHeader(
  { name, value, at }: NamedValue,
  { agent }: About,
): readonly Diagnostic[] {
  const text = value
    .map((part) => ("literal" in part ? part.literal : "\0"))
    .join("");
  return CHANGED.test(text)
    ? [
        report(
          "deliver/unescapable",
          { text: printTemplate(value), agent, key: `headers.${name}` },
          { at },
        ),
      ]
    : [];
}

/** Grok starts a server in its own folder, whatever `cwd` says. */
function lostFolders(
  servers: readonly Delivered[],
  { agent, project }: About,
): readonly Diagnostic[] {
  const given: Diagnostic[] = [];
  const lost: Diagnostic[] = [];
  for (const { name, transport } of servers) {
    if (transport.kind === "http") continue;
    const { why, path, at } = transport.cwd;
    const params = { agent, server: name };
    if (why === "given")
      given.push(report("deliver/cwd-not-supported", params, { at }));
    else if (why === "own" || path !== project)
      lost.push(report("deliver/cwd-not-held", params, { at }));
  }
  return [...given, ...lost.slice(0, 1)];
}
