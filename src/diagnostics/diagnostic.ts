// The value that every stage returns for a user's mistake: a code of the catalogue, a position, and words.
// Drawing it is `render.ts`; making spans from YAML nodes is `src/source/locate.ts`.

/** A place in a text. `line` and `column` are 1-based and count UTF-16 units; `offset` is 0-based. */
export interface Position {
  readonly line: number;
  readonly column: number;
  readonly offset: number;
}

/** A range in a file. `file` is the path as it is shown to people: absolute, or as they named it. */
export interface Span {
  readonly file: string;
  readonly start: Position;
  readonly end: Position;
}

export type Severity = "error" | "warning" | "note";

export interface Note {
  readonly message: string;
  readonly at: Span | null;
}

export interface Diagnostic {
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  readonly at: Span | null;
  readonly notes: readonly Note[];
  readonly help: string | null;
}

/** After so many problems of one file nobody looks for more. */
export const MOST_PROBLEMS = 1000;

/** What a stage returns. `value` is null when the stage could not make one; then there is an error. */
export interface Result<T> {
  readonly value: T | null;
  readonly diagnostics: readonly Diagnostic[];
}

export const hasErrors = (diagnostics: readonly Diagnostic[]): boolean =>
  diagnostics.some((d) => d.severity === "error");

/** Sorts by file and position, those without a place last, and drops exact repeats. */
export function sortDiagnostics(
  diagnostics: readonly Diagnostic[],
): readonly Diagnostic[] {
  const seen = new Set<string>();
  const unique = diagnostics.filter((d) => {
    const key = JSON.stringify([d.code, d.message, d.at]);
    return seen.has(key) ? false : (seen.add(key), true);
  });
  const place = (d: Diagnostic) => d.at?.file ?? "\uffff";
  return unique.sort((a, b) => {
    if (place(a) !== place(b)) return place(a) < place(b) ? -1 : 1;
    return (a.at?.start.offset ?? 0) - (b.at?.start.offset ?? 0);
  });
}

/** A bug of ours, never a user's mistake. `main.ts` catches it once and says so. */
export class InternalError extends Error {}
