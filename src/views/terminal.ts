// Where words go: results to stdout, notes and problems to stderr; colours only on a terminal without `NO_COLOR`.
import { Chalk } from "chalk";
import { renderDiagnostic, type Paint } from "../diagnostics/render.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import {
  paintedLines,
  visibleLines,
  visibleWhole,
} from "../diagnostics/visible.ts";
import { columns, wrap } from "../diagnostics/wrap.ts";
import { blankSecrets } from "../match/blank-secrets.ts";
import type { Host, Output } from "../host/host.ts";
import { atMost } from "./at-most.ts";
import { isAbsolute, relative } from "node:path";

export interface Terminal {
  /** A line of the result. Whatever is in it, it is words. */
  readonly out: (line: string) => void;
  /** A line or more with colours from `paint` and `diff`; all else in it has to be made visible before. */
  readonly painted: (lines: string) => void;
  /** A line or more beside the result; broken between words to fit a terminal. */
  readonly note: (line: string) => void;
  readonly diagnostics: (
    list: readonly Diagnostic[],
    texts: ReadonlyMap<string, { readonly text: string }>,
  ) => void;
  readonly show: (path: string) => string;
  readonly paint: Paint;
  readonly diff: (text: string) => string;
}

export function terminal(host: Host): Terminal {
  const out = painted(host, host.stdout);
  const err = paintOf(painted(host, host.stderr));
  const show = (path: string) => visibleWhole(shownPath(host, path));
  return {
    out: (line) => host.stdout.write(`${visibleLines(line)}\n`),
    painted: (lines) => host.stdout.write(`${paintedLines(lines)}\n`),
    note: (line) => host.stderr.write(`${withinWidth(visibleLines(line))}\n`),
    diagnostics(list, texts) {
      const line = (d: Diagnostic) => `${d.at?.file}:${d.at?.start.line}`;
      // A line that holds a secret is not shown again, whatever else is wrong with it.
      const secret = new Set(
        list.filter((d) => SECRET_CODES.has(d.code)).map(line),
      );
      const hide = hiding();
      for (const d of atMost(list, MOST_SHOWN))
        host.stderr.write(
          paintedLines(
            renderDiagnostic(d, {
              paint: err,
              show,
              textOf: (file) =>
                secret.has(line(d)) ? null : (texts.get(file)?.text ?? null),
              hide,
            }),
          ),
        );
    },
    show,
    paint: paintOf(out),
    diff: (text) => colourDiff(text, out),
  };
}

const WIDTH = 80;

const withinWidth = (text: string): string =>
  text
    .split("\n")
    .flatMap((line) => (columns(line) > WIDTH ? wrap(line, WIDTH) : [line]))
    .join("\n");

const SECRET_CODES = new Set([
  "server/secret",
  "server/token-in-file",
  "server/url-secret",
]);

/** More than a person reads; `--json` has them all. */
const MOST_SHOWN = 200;

/** Many problems may stand in one long line: it is searched once. */
function hiding(): (line: string) => string {
  const known = new Map<string, string>();
  return (line) => {
    const hidden = known.get(line) ?? blankSecrets(line, "source");
    known.set(line, hidden);
    return hidden;
  };
}

/** Relative to the current folder when inside it, with `~` when below the home folder. */
export function shownPath(
  host: Pick<Host, "cwd" | "home">,
  path: string,
): string {
  const inside = relative(host.cwd, path);
  if (inside === "") return ".";
  if (!inside.startsWith("..") && !isAbsolute(inside)) return inside;
  const home = relative(host.home, path);
  return home !== "" && !home.startsWith("..") && !isAbsolute(home)
    ? `~/${home}`
    : path;
}

const painted = (host: Host, output: Output) =>
  new Chalk({
    level:
      output.isTTY && !host.env["NO_COLOR"] && host.env["TERM"] !== "dumb"
        ? 1
        : 0,
  });

const paintOf = (chalk: ReturnType<typeof painted>): Paint => ({
  bold: (t) => (t === "" ? "" : chalk.bold(t)),
  dim: chalk.dim,
  error: chalk.red,
  warning: chalk.yellow,
  note: chalk.cyan,
});

const colourDiff = (text: string, chalk: ReturnType<typeof painted>): string =>
  visibleLines(text.replaceAll("\r\n", "\n"))
    .split("\n")
    .map((line) =>
      line.startsWith("+++") || line.startsWith("---")
        ? chalk.bold(line)
        : line.startsWith("+")
          ? chalk.green(line)
          : line.startsWith("-")
            ? chalk.red(line)
            : line.startsWith("@@")
              ? chalk.cyan(line)
              : line,
    )
    .join("\n");
