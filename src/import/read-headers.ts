// The headers of a remote server: the one that carries the token is taken out, the others stay with references.
import type { Span } from "../diagnostics/diagnostic.ts";
import {
  isClientHeader,
  isHeaderName,
  isHeaderValue,
} from "../match/header.ts";
import { findSecret } from "../match/secret.ts";
import { promiseOf } from "../match/secret-name.ts";
import { parseTemplate, referencesOf } from "../match/template.ts";
import { hideSecrets, variablePart } from "./hide-secrets.ts";
import type { JsonText } from "../source/json-text.ts";
import type { LeftKey, SourcePair } from "./read-entry.ts";

export interface FoundToken {
  readonly where: string;
  /** True when it goes into the vault. Then `variable` is the one that the source took it from, or null. */
  readonly stored: boolean;
  /** The variable that has to hold it. */
  readonly variable: string | null;
  readonly at: Span;
}

export interface Headers {
  /** Those that stay, with their references. */
  readonly headers: readonly SourcePair[];
  readonly token: true | { readonly header: string } | null;
  readonly tokens: readonly FoundToken[];
  readonly left: readonly LeftKey[];
}

/** `pairs` hold texts as they are written in fenzi.yaml, references in our form. */
export function readHeaders(
  pairs: readonly SourcePair[],
  server: string,
  span: JsonText["span"],
): Headers {
  const headers: SourcePair[] = [];
  const tokens: FoundToken[] = [];
  const left: LeftKey[] = [];
  const seen = new Set<string>();
  const bearer = pairs.some((pair) => bearerOf(pair) !== null);
  let token: Headers["token"] = null;
  for (const pair of pairs) {
    const { name, text, where } = pair;
    const at = span(pair.node);
    const leave = (reason: LeftKey["reason"], why: string) =>
      void left.push({ key: where, reason, why, at });
    const folded = name.toLowerCase();
    if (
      !isHeaderName(name) ||
      name === "__proto__" ||
      findSecret(name, { kind: "text" }) !== null
    )
      leave("not-a-name", "it is not a header's name");
    else if (isClientHeader(name))
      leave("client-header", "the client sets it itself");
    else if (seen.has(folded)) leave("not-a-name", "it stands there twice");
    else if (!isHeaderValue(text))
      leave("not-a-value", "a header cannot hold that value");
    else if (folded === "authorization") {
      const value = bearerOf(pair);
      if (value === null)
        leave("not-a-token", "it is neither a bearer token nor one key");
      else {
        token = true;
        tokens.push({ where, stored: true, variable: variableIn(value), at });
      }
    } else if (!bearer && token === null && isKey(name, text)) {
      token = { header: name };
      tokens.push({ where, stored: true, variable: variableIn(text), at });
    } else {
      const hidden = hideSecrets(
        text,
        { kind: "header", name },
        `${variablePart(server)}_${variablePart(name)}`,
      );
      headers.push({ ...pair, text: hidden.text });
      for (const variable of hidden.variables)
        tokens.push({ where, stored: false, variable, at });
    }
    seen.add(folded);
  }
  return { headers, token, tokens, left };
}

/** What follows `Bearer` in an `Authorization` header, or null. */
function bearerOf({ name, text }: SourcePair): string | null {
  const [scheme, value = "", ...more] = text.trim().split(/\s+/);
  return name.toLowerCase() === "authorization" &&
    scheme?.toLowerCase() === "bearer" &&
    more.length === 0
    ? value
    : null;
}

/** One word under a name that promises a secret, or one word that is a secret as a whole. */
function isKey(name: string, text: string): boolean {
  const value = text.trim();
  if (/\s/.test(value)) return false;
  const promised = promiseOf(name);
  if (promised === "token" || promised === "password")
    return name.toLowerCase() !== "cookie" && !/^(?:true|false)$/i.test(value);
  const found = findSecret(value, { kind: "header", name });
  return found !== null && found.start === 0 && found.end === value.length;
}

/** The first variable in a text. */
function variableIn(text: string): string | null {
  const read = parseTemplate(text);
  return "template" in read ? (referencesOf(read.template)[0] ?? null) : null;
}
