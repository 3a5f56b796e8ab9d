// The text of one configuration file, parsed to plain values, with the one thing that turns a path into a span.
import type { Position, Span } from "../diagnostics/diagnostic.ts";

export type Path = readonly (string | number)[];

export interface Source {
  /** As it is shown to people. */
  readonly file: string;
  readonly text: string;
  /** Plain values; mappings are objects without a prototype. An empty file is an empty mapping. */
  readonly value: unknown;
  readonly locate: Locate;
  /** True when the line of this place ends with `# fenzi: not a secret`. */
  readonly silenced: (at: Span) => boolean;
}

/**
 * Where a value stands: its key (an item of a list has none: then the item), or its value. A path
 * whose end is missing gives its nearest parent.
 */
export type Locate = (path: Path, what: "key" | "value") => Span;

/** Finds line and column of offsets; columns count UTF-16 units. */
export function positions(text: string): (offset: number) => Position {
  const starts = [0];
  for (let i = 0; i < text.length; i++) {
    if (text[i] === "\n") starts.push(i + 1);
    else if (text[i] === "\r" && text[i + 1] !== "\n") starts.push(i + 1);
  }
  return (offset) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1, offset };
  };
}
