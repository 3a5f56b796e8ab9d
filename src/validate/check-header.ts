// Header names and values, RFC 9110 sections 5.1 and 5.5; headers that the client itself sets cannot be configured.
import { report } from "../diagnostics/catalog.ts";
import type { Diagnostic, Span } from "../diagnostics/diagnostic.ts";

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Visible characters and U+0080–U+00FF, with blanks and tabs only between them. Empty is allowed. */
const VALUE =
  /^(?:[\x21-\x7e\x80-\xff](?:[\t\x20-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?)?$/;

/** Headers that frame a request, route it, or mirror its body: an HTTP client sets them itself. */
const OWN = new Set([
  "accept",
  "accept-encoding",
  "connection",
  "content-encoding",
  "content-length",
  "content-type",
  "expect",
  "host",
  "keep-alive",
  "last-event-id",
  "origin",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

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
  if (!TOKEN.test(name)) out.push(bad("is not a header name"));
  else if (folded === "authorization")
    out.push(
      bad(
        "is set from the stored token",
        "write `token: true` and store it with `fenzi mcp token`",
      ),
    );
  else if (
    OWN.has(folded) ||
    folded.startsWith("mcp-") ||
    folded.startsWith("proxy-") ||
    folded.startsWith("sec-")
  )
    out.push(bad("is set by the client itself and cannot be configured"));
  else if (twin !== undefined)
    out.push(bad(`stands here twice: also as \`${twin}\``));
  seen.set(folded, name);
  if (!VALUE.test(value))
    out.push(report("server/header-value", { name }, { at: valueAt }));
  return out;
}
