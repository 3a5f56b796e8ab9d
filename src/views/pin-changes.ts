// What pinning a server would change, for the person who is asked: tools that are new or gone, and instructions.
import { visibleWhole } from "../diagnostics/visible.ts";
import { columns, longest, wrap } from "../diagnostics/wrap.ts";
import type { Pins } from "../model/model.ts";
import type { Terminal } from "./terminal.ts";

interface PinChange {
  /** What is pinned now, or nothing. */
  readonly before: readonly Pins[];
  readonly pins: Pins;
  readonly offered: {
    readonly tools: readonly {
      readonly name: string;
      readonly shown: string;
      readonly description: string;
    }[];
    /** JSON text of a string. */
    readonly instructions: { readonly source: string | null };
  };
}

const WIDTH = 80;
const MOST_NAME = 30;
/** Lines of instructions that are shown whole. */
const MOST_LINES = 40;

/** Tools with another definition are not among the lines: their words are shown apart. */
export function pinLines(
  name: string,
  { before, pins, offered }: PinChange,
  { paint }: Pick<Terminal, "paint">,
): readonly string[] {
  const pinned = new Set(before.flatMap(({ tools }) => [...tools.keys()]));
  const fresh = offered.tools.filter(
    (tool) => pins.tools.has(tool.name) && !pinned.has(tool.name),
  );
  const gone = [...pinned].filter((tool) => !pins.tools.has(tool));
  const told = before.some(({ instructions }) => instructions !== null);
  const { source } = offered.instructions;
  const width = Math.min(MOST_NAME, longest(fresh.map(({ shown }) => shown)));
  return [
    paint.bold(name),
    ...fresh.map(({ shown, description }) => {
      const label = `  + ${shown.padEnd(width)}  `;
      return label + cut(description, WIDTH - columns(label));
    }),
    ...gone.map((tool) => `  - ${visibleWhole(tool)}`),
    ...(source === null || told ? [] : instructionLines(source)),
  ];
}

function instructionLines(source: string): readonly string[] {
  const lines = (JSON.parse(source) as string)
    .split(/\r\n|\r|\n/)
    .flatMap((line) => wrap(visibleWhole(line), WIDTH - 4));
  return [
    "  it tells the model:",
    ...lines.slice(0, MOST_LINES).map((line) => `    ${line}`),
    ...(lines.length > MOST_LINES
      ? [`    … ${lines.length - MOST_LINES} more lines`]
      : []),
  ];
}

function cut(text: string, width: number): string {
  if (columns(text) <= width) return text;
  let out = "";
  for (const character of text) {
    if (columns(out) + columns(character) > width - 1) break;
    out += character;
  }
  return `${out}…`;
}
