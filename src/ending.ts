// How every run of the program ends when something is wrong: in words, with an exit code, and without a stack trace.
import { failureOf, UsageError, type Exit } from "./commands/outcome.ts";
import { visibleLines, visibleWhole } from "./diagnostics/visible.ts";
import { wrap } from "./diagnostics/wrap.ts";
import type { Host } from "./host/host.ts";
import { blankSecrets } from "./match/blank-secrets.ts";

const USAGE: Exit = 2;
const UNFINISHED: Exit = 3;

/** Runs a command; what it throws is said on standard error. */
export async function ending(
  host: Host,
  argv: readonly string[],
  run: () => Promise<Exit>,
): Promise<Exit> {
  const say = (lines: string) => host.stderr.write(`${visibleLines(lines)}\n`);
  try {
    return await run();
  } catch (error) {
    if (error instanceof UsageError) {
      for (const line of usageLines(error)) say(line);
      return misused(host, argv, error.message, error.help);
    }
    if (isAbort(error)) {
      say("stopped; nothing was changed");
      return UNFINISHED;
    }
    say(
      `error: ${failureOf(error) ?? `this is a bug in fenzi: ${error instanceof Error ? error.message : String(error)}`}`,
    );
    if (host.env["FENZI_DEBUG"] !== undefined && error instanceof Error)
      say(error.stack ?? "");
    return UNFINISHED;
  }
}

/** Commands whose output programs read line by line. */
const IN_LINES: ReadonlySet<string> = new Set(["gateway", "logs"]);

/** A program that asked for a document gets one. */
export async function misused(
  host: Host,
  argv: readonly string[],
  message: string,
  help: string | null = null,
): Promise<Exit> {
  const dashes = argv.indexOf("--");
  const words = argv.slice(0, dashes < 0 ? argv.length : dashes);
  if (words.includes("--json")) {
    const { printDocument } = await import("./views/document.ts");
    const { report } = await import("./diagnostics/catalog.ts");
    printDocument(
      host,
      {},
      [report("usage/command-line", { message }, { help })],
      IN_LINES.has(words.find((word) => !word.startsWith("-")) ?? "")
        ? "line"
        : "pretty",
    );
  }
  return USAGE;
}

/** What would be right is one line, so that it can be copied. */
const usageLines = ({ message, help }: UsageError): readonly string[] => [
  ...wrap(visibleWhole(blankSecrets(`error: ${message}`)), 78).map((line, i) =>
    i === 0 ? line : `  ${line}`,
  ),
  ...(help === null ? [] : [`  help: ${blankSecrets(help)}`]),
];

/** Ctrl-C at a prompt. */
const isAbort = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === "ExitPromptError" || error.name === "AbortPromptError");
