// Draws a diagnostic with a snippet of the text it points at. It is handed the texts and the colours; it reads no file.
import type { Diagnostic, Severity, Span } from "./diagnostic.ts";
import { UNSEEN, visibleWhole } from "./visible.ts";
import { columns, wrap } from "./wrap.ts";

export interface Paint {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly error: (text: string) => string;
  readonly warning: (text: string) => string;
  readonly note: (text: string) => string;
}

interface RenderOptions {
  readonly paint: Paint;
  /** The text of a file, or null. */
  readonly textOf: (file: string) => string | null;
  /** A line of a text as it may be shown: what must not be seen is replaced by as many characters. */
  readonly hide: (line: string) => string;
  /** A path as it is shown to people. */
  readonly show: (file: string) => string;
}

/** Several lines, each ended. The first is machine-readable: `file:line:column: severity: message [code]`. */
export function renderDiagnostic(
  d: Diagnostic,
  options: RenderOptions,
): string {
  const { paint, show } = options;
  const colour: Record<Severity, (t: string) => string> = {
    error: paint.error,
    warning: paint.warning,
    note: paint.note,
  };
  const where = d.at === null ? "" : `${place(d.at, show)}: `;
  let out = `${paint.bold(where)}${colour[d.severity](`${d.severity}:`)} ${paint.bold(visibleWhole(d.message))} ${paint.dim(`[${d.code}]`)}\n`;
  if (d.at !== null) out += snippet(d.at, options);
  for (const note of d.notes)
    out += hanging(
      note.at === null ? [] : [`${place(note.at, show)}:`],
      "note:",
      note.message,
      paint,
    );
  if (d.help !== null) out += hanging([], "help:", d.help, paint);
  return out;
}

/** Words below a diagnostic, within 80 columns, later lines further in. */
function hanging(
  before: readonly string[],
  label: string,
  text: string,
  paint: Paint,
): string {
  const all = [...before, label, visibleWhole(text)].join(" ");
  const [first = "", ...rest] = wrap(all, 78);
  // What follows the first line stands further in.
  const lines = [first, ...wrap(rest.join(" "), 76)];
  return lines
    .map((line, i) =>
      i === 0
        ? `  ${line.replace(label, () => paint.note(label))}\n`
        : `    ${line}\n`,
    )
    .join("");
}

const place = (at: Span, show: (file: string) => string): string =>
  `${show(at.file)}:${at.start.line}:${at.start.column}`;

const WIDTH = 72;

/** The line with a caret under the place. Lines that hold what a secret rule found are the caller's to withhold. */
function snippet(at: Span, { paint, textOf, hide }: RenderOptions): string {
  const text = textOf(at.file);
  if (text === null) return "";
  const lineStart = at.start.offset - (at.start.column - 1);
  const rest = text.slice(lineStart);
  const full = hide(
    rest.slice(0, rest.search(/[\r\n]|$/)).replace(/^\uFEFF/, ""),
  );
  if (full.trim() === "") return "";
  const from = Math.max(
    0,
    Math.min(at.start.column - 1, full.length) - WIDTH + 20,
  );
  const line = full.slice(from, from + WIDTH);
  const before = full.slice(from, at.start.column - 1);
  const length = Math.max(
    1,
    Math.min(
      at.end.line === at.start.line
        ? at.end.column - at.start.column
        : full.length,
      full.length - at.start.column + 1,
    ),
  );
  const marked = full
    .slice(at.start.column - 1, at.start.column - 1 + length)
    .slice(0, WIDTH - before.length);
  const gutter = " ".repeat(String(at.start.line).length);
  const carets = "^".repeat(Math.max(1, columns(clean(marked))));
  return (
    `${paint.dim(`${gutter} |`)}\n` +
    `${paint.dim(`${at.start.line} |`)} ${clean(line)}\n` +
    `${paint.dim(`${gutter} |`)} ${" ".repeat(columns(clean(before)))}${paint.note(carets)}\n`
  );
}

/** Tabs become a blank and control characters a mark, so that columns stay columns. */
const clean = (text: string): string =>
  text.replace(/\t/g, " ").replace(UNSEEN, "·");
