// Cutting and replacing parts of a JSON text, so that everything else stays as it came, byte for byte.
import type { JsonMember, JsonNode } from "./json-scan.ts";

export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Applies edits that do not overlap, in any order. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  if (edits.length === 0) return text;
  // Joined, not added up: sums of texts are kept as trees, in which every look at a character is slow.
  const parts: string[] = [];
  let at = 0;
  const ordered =
    edits.length === 1 ? edits : [...edits].sort((a, b) => a.start - b.start);
  for (const edit of ordered) {
    parts.push(text.slice(at, edit.start), edit.text);
    at = edit.end;
  }
  parts.push(text.slice(at));
  return parts.join("");
}

export const replaceNode = (node: JsonNode, text: string): Edit => ({
  start: node.start,
  end: node.end,
  text,
});

/** An object with the members that `keep` wants; a text stands for a value that is replaced. */
export function rebuildObject(
  text: string,
  members: readonly JsonMember[],
  keep: (member: JsonMember) => boolean | string,
): string {
  const parts: string[] = [];
  for (const member of members) {
    const kept = keep(member);
    if (kept === false) continue;
    const value =
      kept === true ? text.slice(member.value.start, member.value.end) : kept;
    parts.push(`${JSON.stringify(member.name)}:${value}`);
  }
  return `{${parts.join(",")}}`;
}
