// References as other tools write them, to ours: `${NAME}`, `${NAME:-x}`, `${env:NAME}`, `{env:NAME}`, `${input:id}`.
// Everything else with a dollar sign is text.
import { printTemplate, VARIABLE_NAME } from "../match/template.ts";
import type { TemplatePart } from "../model/model.ts";

interface ReadText {
  /** As it is written in fenzi.yaml. */
  readonly text: string;
  /** Variables of which a default is not taken over. */
  readonly defaults: readonly string[];
  /** References whose name had to be changed: as written, and the variable. */
  readonly changed: readonly {
    readonly from: string;
    readonly variable: string;
  }[];
}

export function readReferences(source: string): ReadText {
  const parts: TemplatePart[] = [];
  const defaults: string[] = [];
  const changed: { from: string; variable: string }[] = [];
  let literal = "";
  let i = 0;
  const take = (reference: string, end: number) => {
    if (literal !== "") parts.push({ literal });
    parts.push({ reference });
    literal = "";
    i = end;
  };
  while (i < source.length) {
    const braced = source.startsWith("${", i);
    const end = braced ? closing(source, i + 2) : -1;
    const inside = end < 0 ? null : source.slice(i + 2, end);
    const found = inside === null ? null : reference(inside);
    if (found !== null && inside !== null) {
      if (found.hasDefault) defaults.push(found.variable);
      if (found.changed)
        changed.push({ from: `\${${inside}}`, variable: found.variable });
      take(found.variable, end + 1);
      continue;
    }
    const env = /^\{env:([A-Za-z_][A-Za-z0-9_]{0,200})\}/.exec(
      source.slice(i, i + 210),
    );
    if (env?.[1] !== undefined) take(env[1], i + env[0].length);
    else literal += source[i++];
  }
  if (literal !== "") parts.push({ literal });
  return { text: printTemplate(parts), defaults, changed };
}

const LONGEST = 1024;

/** The brace that closes the one before `start`; defaults may hold references. */
function closing(source: string, start: number): number {
  let depth = 1;
  const stop = Math.min(source.length, start + LONGEST);
  for (let i = start; i < stop; i++) {
    if (source.startsWith("${", i)) depth++;
    else if (source[i] === "}" && --depth === 0) return i;
  }
  return -1;
}

interface Reference {
  readonly variable: string;
  readonly hasDefault: boolean;
  readonly changed: boolean;
}

/** What stands between the braces, as a variable; null when it is none. */
function reference(inside: string): Reference | null {
  const plain = /^([A-Za-z_][A-Za-z0-9_]*)(:-.*)?$/s.exec(inside);
  if (plain?.[1] !== undefined)
    return {
      variable: plain[1],
      hasDefault: plain[2] !== undefined,
      changed: false,
    };
  // `${env:X}`, and settings, inputs and folders of an editor: `${input:id}`, `${config:a.b}`, `${workspaceFolder:x}`.
  const scheme = /^([A-Za-z]+):([A-Za-z_][A-Za-z0-9_. -]*)(:-.*)?$/s.exec(
    inside,
  );
  if (scheme?.[2] === undefined) return null;
  const own = scheme[1] === "env" || scheme[1] === "input";
  const variable = (own ? scheme[2] : `${scheme[1]}_${scheme[2]}`).replace(
    /[^A-Za-z0-9_]/g,
    "_",
  );
  return VARIABLE_NAME.test(variable)
    ? {
        variable,
        hasDefault: scheme[3] !== undefined,
        changed: scheme[1] !== "env" || variable !== scheme[2],
      }
    : null;
}

/** Variables that one tool sets for itself. */
const AGENT_VARIABLES: Readonly<Record<string, string>> = {
  workspaceFolder: "VS Code and Cursor",
  workspaceFolderBasename: "VS Code and Cursor",
  workspaceRoot: "VS Code",
  userHome: "VS Code and Cursor",
  extensionPath: "Gemini CLI",
  workspacePath: "Gemini CLI",
  CLAUDE_PLUGIN_ROOT: "Claude Code",
  CLAUDE_PLUGIN_DATA: "Claude Code",
  CLAUDE_PROJECT_DIR: "Claude Code",
};

/** The tool that sets the variable, or null. */
export const agentOf = (variable: string): string | null =>
  Object.hasOwn(AGENT_VARIABLES, variable)
    ? (AGENT_VARIABLES[variable] ?? null)
    : null;

/** What a reader could take for a reference although it stays text: `$NAME`, `%NAME%`, a bare `${`, `~/`; or null. */
export function notExpanded(text: string): string | null {
  if (text === "~" || /^~[\\/]/.test(text)) return "~";
  const found =
    /\$\$\{|\$[A-Za-z_][A-Za-z0-9_]{0,100}|%[A-Za-z_][A-Za-z0-9_()]{0,100}%/.exec(
      text,
    );
  return found === null ? null : found[0].replace(/^\$\$\{$/, "${");
}
