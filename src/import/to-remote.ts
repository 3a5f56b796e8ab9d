// A remote server: whether its address can be written down, its headers and its token.
import { report } from "../diagnostics/catalog.ts";
import { findSecret } from "../match/secret.ts";
import { parseServerUrl } from "../match/url.ts";
import type { ServerEntry } from "../../schemas/fenzi.ts";
import type { ServerReason } from "../../schemas/import-document.ts";
import type { ReadEntry, SourcePair, SourceText } from "./read-entry.ts";
import { readHeaders } from "./read-headers.ts";
import { noteLiterals, references, type ServerNotes } from "./server-notes.ts";

/** Why a server at this address is not imported, or null. */
export function urlProblem({
  url,
  sse,
}: Extract<ReadEntry["transport"], { kind: "http" }>): {
  readonly reason: ServerReason;
  readonly why: string;
} | null {
  const text = url.text.trim();
  if (sse) return { reason: "sse", why: "uses the retired HTTP+SSE transport" };
  if (/\$\{|\{env:|\{\{|(?<![A-Za-z0-9])\$[A-Z_]{2}/.test(text))
    return { reason: "variable-in-url", why: "has a variable in its URL" };
  const secret = findSecret(text, { kind: "url" });
  if (secret !== null)
    return {
      reason: "secret-in-url",
      why: `has what looks like a secret in its URL: ${secret.where}`,
    };
  if (/^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#]*@/.test(text))
    return { reason: "secret-in-url", why: "has a user in its URL" };
  const parsed = parseServerUrl(text.replace(/#.*$/s, ""));
  if ("value" in parsed) return null;
  return parsed.kind === "plain-http" || /^http:/i.test(text)
    ? { reason: "plain-http", why: "is reached by `http` on another machine" }
    : {
        reason: "no-transport",
        // What the URL means instead would show a piece of it.
        why: `has a URL that cannot be used: it ${parsed.problem.split(";")[0]}`,
      };
}

export function toRemote(
  notes: ServerNotes,
  url: SourceText,
  pairs: readonly SourcePair[],
): ServerEntry {
  const [address = "", ...fragment] = url.text.trim().split("#");
  if (fragment.length > 0)
    notes.left.push({
      key: url.where,
      reason: "fragment",
      why: "what follows `#` is never sent",
      at: notes.span(url.node),
    });
  if (/\/sse\/?(?:\?|$)/.test(address))
    notes.diagnostics.push(
      report(
        "import/sse-url",
        { name: notes.name },
        { at: notes.span(url.node) },
      ),
    );
  const read = readHeaders(
    pairs.map((pair) => ({ ...pair, text: references(notes, pair) })),
    notes.name,
    notes.span,
  );
  for (const each of read.left) notes.left.push(each);
  for (const each of read.tokens) notes.tokens.push(each);
  for (const header of read.headers) noteLiterals(notes, header.text, header);
  return {
    url: address,
    ...(read.headers.length === 0
      ? {}
      : {
          headers: Object.fromEntries(
            read.headers.map((h) => [h.name, h.text]),
          ),
        }),
    ...(read.token === null ? {} : { token: read.token }),
  };
}
