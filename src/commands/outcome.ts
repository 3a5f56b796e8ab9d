// What a command leaves: its exit code. Printing is done through `src/views` before it returns.
import { hasErrors, type Diagnostic } from "../diagnostics/diagnostic.ts";
import { systemReason } from "../host/system-reason.ts";

/** 0 done or nothing to do; 1 problems, or a difference under `--check`; 2 usage; 3 could not finish. */
export type Exit = 0 | 1 | 2 | 3;

/** The exit code of a command that stops for these. */
export const exitFor = (diagnostics: readonly Diagnostic[]): Exit =>
  diagnostics.some((d) => UNFINISHED.has(d.code))
    ? 3
    : hasErrors(diagnostics)
      ? 1
      : 0;

const UNFINISHED = new Set([
  "write/not-writable",
  "write/changed-meanwhile",
  "apply/half-written",
]);

/** A failure of the system that no diagnostic has told, in words; null when it is a bug of ours. */
export function failureOf(error: unknown): string | null {
  const { code, path, syscall } = error as NodeJS.ErrnoException;
  if (syscall === "uv_cwd") return "the current folder is gone";
  return typeof code !== "string" || path === undefined
    ? null
    : `\`${path}\`: ${systemReason(code)}`;
}

export { UsageError } from "../diagnostics/usage-error.ts";
