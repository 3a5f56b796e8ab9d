// What an edit of a file did or would do, for people, within 80 columns.
import { visibleWhole } from "../diagnostics/visible.ts";
import { printTemplate } from "../match/template.ts";
import type { Server } from "../model/model.ts";
import type { ShownRules } from "../policy/shown-rules.ts";
import { unifiedDiff } from "../plan/unified-diff.ts";
import { toolWords } from "./server-list.ts";
import { shellLine } from "./shell-words.ts";
import type { Terminal } from "./terminal.ts";
import { wrap } from "../diagnostics/wrap.ts";

export const SEEN_AFTER =
  "agents see it from their next start, after `fenzi apply` or `fenzi compile`";

interface ShownEdit {
  readonly file: string;
  readonly before: string | null;
  readonly after: string;
}

/** The difference, for `--dry-run`. */
export function printDiff(view: Terminal, edit: ShownEdit): void {
  if (edit.before === edit.after) return view.note("nothing would change");
  const diff = unifiedDiff({
    path: view.show(edit.file),
    before: edit.before,
    text: edit.after,
  });
  view.painted(view.diff(diff.replace(/\n$/, "")));
  view.note("nothing was written");
}

/** What was done to one server, and when it counts. */
export function printEdited(
  view: Terminal,
  said: {
    readonly verb: "added" | "changed" | "removed" | "removed the narrowing of";
    readonly name: string;
    readonly file: string;
    readonly isNew: boolean;
    /** As it counts now, or null. */
    readonly server: Server | null;
    readonly tools: ShownRules | null;
    /** The file holds servers that a person has not looked at. */
    readonly untrusted: boolean;
  },
): void {
  const where = {
    added: "to",
    changed: "in",
    removed: "from",
    "removed the narrowing of": "from",
  }[said.verb];
  const made = said.isNew ? " (a new file)" : "";
  view.out(`${said.verb} ${said.name} ${where} ${view.show(said.file)}${made}`);
  if (said.server !== null && said.tools !== null)
    printServer(view, said.server, said.tools);
  view.note(SEEN_AFTER);
  if (said.untrusted)
    view.note(
      "the file adds servers that are not trusted yet: `fenzi trust` shows them",
    );
}

/** One server as it counts after the edit. */
function printServer(view: Terminal, server: Server, tools: ShownRules): void {
  const { transport } = server;
  const rows: (readonly [string, string])[] =
    transport.kind === "http"
      ? [
          ["url", transport.url],
          ...transport.headers.map(
            (h) => ["header", `${h.name}: ${printTemplate(h.value)}`] as const,
          ),
        ]
      : [
          [
            "runs",
            shellLine(transport.command.map((w) => printTemplate(w.value))),
          ],
          ...transport.env.map(
            (v) => ["with", `${v.name}=${printTemplate(v.value)}`] as const,
          ),
        ];
  rows.push(["tools", toolWords(tools)]);
  for (const [label, text] of rows)
    wrap(visibleWhole(text), WIDTH - INDENT).forEach((line, i) =>
      view.out(`  ${(i === 0 ? label : "").padEnd(INDENT - 2)}${line}`),
    );
}

const WIDTH = 80;
const INDENT = 10;
