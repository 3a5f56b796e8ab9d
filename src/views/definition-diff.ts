// What has changed in a definition, word by word: `[-gone-]` and `{+new+}`, coloured on a terminal, every character that
// cannot be seen as its code. Only the lines that have changed are shown, and of those no more than around the change.
import { diffWordsWithSpace } from "diff";
import { applyEdits, format } from "jsonc-parser";
import { visibleWhole } from "../diagnostics/visible.ts";
import { columns } from "../diagnostics/wrap.ts";
import type { Paint } from "../diagnostics/render.ts";

type Kind = "same" | "gone" | "new";
interface Piece {
  readonly kind: Kind;
  readonly text: string;
}

/** Milliseconds that may be spent on words; then whole texts are compared. */
const PATIENCE = 2_000;
/** Characters that are shown on either side of a change. */
const AROUND = 30;
const MOST_LINES = 60;

/** Lines for people, at most `width` columns wide. The texts are canonical JSON. */
export function definitionDiff(
  before: string,
  after: string,
  { width, paint }: { readonly width: number; readonly paint: Paint },
): readonly string[] {
  const [old, now] = [laidOut(before), laidOut(after)];
  const changes = diffWordsWithSpace(old, now, { timeout: PATIENCE }) ?? [
    { value: old, removed: true, added: false },
    { value: now, removed: false, added: true },
  ];
  const lines: Piece[][] = [[]];
  for (const { value, added, removed } of changes) {
    const kind = added ? "new" : removed ? "gone" : "same";
    value.split("\n").forEach((text, i) => {
      if (i > 0) lines.push([]);
      if (text !== "") lines.at(-1)?.push({ kind, text });
    });
  }
  const shown = lines
    .filter((line) => line.some(({ kind }) => kind !== "same"))
    .flatMap((line) => broken(shortened(line), width))
    .map((line) => line.map((piece) => painted(piece, paint)).join(""));
  return shown.length <= MOST_LINES
    ? shown
    : [
        ...shown.slice(0, MOST_LINES),
        `… ${shown.length - MOST_LINES} more lines`,
      ];
}

/** A member a line. */
const laidOut = (json: string): string =>
  applyEdits(
    json,
    format(json, undefined, { insertSpaces: true, tabSize: 2, eol: "\n" }),
  );

/** Leaves out what is the same, but for what stands around a change. Marks are part of the text from here on. */
const shortened = (line: readonly Piece[]): readonly Piece[] =>
  line.map(({ kind, text }, i) => {
    const seen = visibleWhole(text);
    if (kind === "gone") return { kind, text: `[-${seen}-]` };
    if (kind === "new") return { kind, text: `{+${seen}+}` };
    const characters = [...seen];
    const head = i === 0 ? 0 : AROUND;
    const tail = i === line.length - 1 ? 0 : AROUND;
    return {
      kind,
      text:
        characters.length <= head + tail + 1
          ? seen
          : `${characters.slice(0, head).join("")}…${tail === 0 ? "" : characters.slice(-tail).join("")}`,
    };
  });

/** Lines of that width; a word is broken where it must be. */
function broken(
  line: readonly Piece[],
  width: number,
): readonly (readonly Piece[])[] {
  const out: Piece[][] = [[]];
  let used = 0;
  for (const { kind, text } of line)
    for (const word of text.match(/\S+\s*|\s+/gu) ?? []) {
      const wide = columns(word.trimEnd());
      if (used > 0 && used + wide > width) {
        out.push([]);
        used = 0;
      }
      let part = "";
      for (const character of word) {
        const size = columns(character);
        if (used + size > width) {
          out.at(-1)?.push({ kind, text: part });
          out.push([]);
          part = "";
          used = 0;
        }
        part += character;
        used += size;
      }
      out.at(-1)?.push({ kind, text: part });
    }
  return out;
}

const painted = ({ kind, text }: Piece, paint: Paint): string =>
  kind === "same"
    ? text
    : kind === "gone"
      ? paint.error(text)
      : paint.note(text);
