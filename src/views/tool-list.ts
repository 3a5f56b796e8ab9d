// The tools that a server offers, for people (80 columns) and for programs: what would become of a call, which rule says
// so, and how each stands to its pin.
import { columns, longest, wrap } from "../diagnostics/wrap.ts";
import type { Decision } from "../policy/decide.ts";
import { originOf } from "./document.ts";
import type { Terminal } from "./terminal.ts";

interface ShownTool {
  readonly name: string;
  readonly shown: string;
  readonly decision: Decision;
  readonly pinned: "same" | "changed" | "new";
  readonly readOnly: boolean | null;
}

interface UnknownRule {
  readonly rule: string;
  readonly nearest: string | null;
}

const VERDICT = { allow: "allowed", ask: "asked", deny: "refused" } as const;
const WIDTH = 80;
/** A name that is longer has its line for itself. */
const MOST_NAME = 36;

export function toolLines(
  tools: readonly ShownTool[],
  view: Pick<Terminal, "show" | "paint">,
): readonly string[] {
  const { bold, dim } = view.paint;
  const name = Math.min(MOST_NAME, longest(tools.map(({ shown }) => shown)));
  return tools.flatMap(({ shown, decision, pinned, readOnly }) => {
    const state = [
      VERDICT[decision.effect].padEnd(8),
      PIN[pinned].padEnd(8),
      readOnly === true ? "says it only reads" : "",
    ]
      .join(" ")
      .trimEnd();
    const fits = columns(shown) <= name;
    return [
      ...(fits ? [] : wrapped(shown, WIDTH).map(bold)),
      `${bold(fits ? shown.padEnd(name) : " ".repeat(name))}  ${state}`,
      ...decision.reasons.flatMap(({ rule, message, origin }) =>
        wrap(
          `${view.show(origin.at.file)}:${origin.at.start.line}:${origin.at.start.column}: ${rule}: ${message}`,
          WIDTH - 4,
        ).flatMap((line) =>
          wrapped(line, WIDTH - 4).map((l) => dim(`    ${l}`)),
        ),
      ),
    ];
  });
}

const PIN = { same: "pinned", changed: "changed", new: "new" } as const;

/** Broken where it must be. */
const wrapped = (text: string, width: number): readonly string[] =>
  text.match(new RegExp(`.{1,${width}}`, "gsu")) ?? [];

export const unknownLines = (
  unknown: readonly UnknownRule[],
): readonly string[] =>
  unknown.flatMap(({ rule, nearest }) =>
    wrap(
      `\`${rule}\` names none of them${nearest === null ? "" : `; did you mean \`${nearest}\`?`}`,
      WIDTH,
    ),
  );

export const toolsDocument = (
  server: string,
  tools: readonly ShownTool[],
  unknown: readonly UnknownRule[],
) => ({
  server,
  tools: tools.map(({ name, decision, pinned, readOnly }) => ({
    name,
    effect: decision.effect,
    reasons: decision.reasons.map(({ rule, message, origin }) => ({
      rule,
      message,
      ...originOf(origin),
    })),
    pinned,
    readOnly: readOnly === true,
  })),
  unknown,
});
