// What is found out about one server while it is taken over, and the reading of one text of it.
import { report } from "../diagnostics/catalog.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { parseTemplate, referencesOf } from "../match/template.ts";
import type { JsonText } from "../source/json-text.ts";
import type { LeftKey, SourceText } from "./read-entry.ts";
import type { FoundToken } from "./read-headers.ts";
import { agentOf, notExpanded, readReferences } from "./read-reference.ts";

/** Grows while the server is read; thrown away when the server is not added. */
export interface ServerNotes {
  readonly name: string;
  readonly left: LeftKey[];
  readonly tokens: FoundToken[];
  /** Raw secrets by the variable that now stands for them, to see whether two servers differ. Never shown. */
  readonly secrets: Map<string, string>;
  readonly diagnostics: Diagnostic[];
  readonly span: JsonText["span"];
  /** Inputs of the source that have a default. */
  readonly inputDefaults: ReadonlySet<string>;
}

/** A text with its references in our form; what changed on the way is noted. */
export function references(notes: ServerNotes, source: SourceText): string {
  const { text, defaults, changed } = readReferences(source.text);
  const at = notes.span(source.node);
  const inputs = changed.filter(({ from }) =>
    notes.inputDefaults.has(from.replace(/^\$\{input:|\}$/g, "")),
  );
  for (const variable of [...defaults, ...inputs.map((c) => c.variable)])
    notes.left.push({
      key: source.where,
      reason: "default",
      why: variable,
      at,
    });
  for (const { from, variable } of changed)
    notes.diagnostics.push(
      report("import/reference", { from, variable, name: notes.name }, { at }),
    );
  const parsed = parseTemplate(text);
  for (const variable of "template" in parsed
    ? new Set(referencesOf(parsed.template))
    : []) {
    const agent = agentOf(variable);
    if (agent !== null)
      notes.diagnostics.push(
        report(
          "import/agent-variable",
          { variable, agent, name: notes.name },
          { at },
        ),
      );
  }
  return text;
}

/** Notes what of a text stays as it is although a reader could take it for a reference. */
export function noteLiterals(
  notes: ServerNotes,
  text: string,
  source: SourceText,
): void {
  const kept = notExpanded(text);
  if (kept !== null)
    notes.diagnostics.push(
      report(
        "import/not-expanded",
        { text: kept, where: source.where, name: notes.name },
        { at: notes.span(source.node) },
      ),
    );
}
