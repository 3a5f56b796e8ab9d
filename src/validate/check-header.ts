// What is wrong with a configured header, in words; the forms themselves are `src/match/header.ts`.
import { report } from "../diagnostics/catalog.ts";
import type { Diagnostic, Span } from "../diagnostics/diagnostic.ts";
import {
  isClientHeader,
  isHeaderName,
  isHeaderValue,
} from "../match/header.ts";

/** `seen` collects folded names, to find two spellings of one header. */
export function checkHeader(
  name: string,
  value: string,
  nameAt: Span,
  valueAt: Span,
  seen: Map<string, string>,
): readonly Diagnostic[] {
  const bad = (reason: string, help: string | null = null) =>
    report("server/header-name", { name, reason }, { at: nameAt, help });
  const out: Diagnostic[] = [];
  const folded = name.toLowerCase();
  const twin = seen.get(folded);
  if (!isHeaderName(name)) out.push(bad("is not a header name"));
  else if (folded === "authorization")
    out.push(
      bad(
        "is set from the stored token",
        "write `token: true` and store it with `fenzi mcp token`",
      ),
    );
  else if (isClientHeader(name))
    out.push(bad("is set by the client itself and cannot be configured"));
  else if (twin !== undefined)
    out.push(bad(`stands here twice: also as \`${twin}\``));
  seen.set(folded, name);
  if (!isHeaderValue(value))
    out.push(report("server/header-value", { name }, { at: valueAt }));
  return out;
}
