// What every way of owning a part of a text has in common.
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { Applied } from "../model/applied.ts";
import { withoutPieces } from "./json-members.ts";
import { sha256 } from "../sha256.ts";

export interface OwnedEdit {
  /** Null: no file. */
  readonly text: string | null;
  /** What is ours in it now; null: nothing that we know of. */
  readonly record: Applied | null;
  /** What is ours before and after, with the keys around it and nothing else of the file. */
  readonly view: { readonly before: string; readonly after: string };
  readonly diagnostics: readonly Diagnostic[];
}

/** What to do about an entry of somebody else's that has a server's name. */
export const TAKEN_HELP =
  "take it out of this file (`fenzi mcp import` brings it into fenzi.yaml first) or give it another name, and apply again";

export const BOM = "\uFEFF";

export const hashOf = (text: string): string => sha256(text);

/**
 * The text as it was before ours came in, when it still is as it was written (or as it was before, after a write that was
 * cut short). Null when somebody else changed it.
 */
export function textBefore(
  text: string,
  records: readonly Applied[],
): { readonly record: Applied; readonly text: string | null } | null {
  const hash = hashOf(text);
  for (const record of records) {
    if (record.before === hash) return { record, text };
    if (record.after !== hash) continue;
    if (record.before === null) return { record, text: null };
    const bom = text.startsWith(BOM) ? BOM : "";
    const inside = withoutPieces(text.slice(bom.length), record.pieces);
    if (inside !== null && hashOf(bom + inside) === record.before)
      return { record, text: bom + inside };
  }
  return null;
}
