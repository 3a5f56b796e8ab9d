// What is put on every request to one server: its configured headers with their references replaced, and its token.
// The one place of a door that opens a secret.
import { isHeaderValue } from "../match/header.ts";
import { expandTemplate, referencesOf } from "../match/template.ts";
import type { HttpTransport, Origin } from "../model/model.ts";
import type { Secret } from "../vault/secret.ts";

export interface Credentials {
  /** Header lines: name, value, name, value; names in lower case. */
  readonly lines: readonly string[];
  /** The values among them that must never flow back to a client. */
  readonly secrets: readonly string[];
}

export type CredentialProblem =
  | { readonly kind: "unset"; readonly variable: string; readonly at: Origin }
  /** The value cannot stand in a header. */
  | { readonly kind: "value"; readonly header: string; readonly at: Origin };

/** `token` is null when none is stored; then no request is sent to a server that uses one. */
export function credentialsFor(
  transport: HttpTransport,
  env: Readonly<Record<string, string | undefined>>,
  token: Secret | null,
): Credentials | { readonly problems: readonly CredentialProblem[] } {
  const lines: string[] = [];
  const secrets: string[] = [];
  const problems: CredentialProblem[] = [];
  const add = (
    header: string,
    value: string,
    secret: boolean,
    at: Origin,
  ): void => {
    if (!isHeaderValue(value))
      return void problems.push({ kind: "value", header, at });
    lines.push(header.toLowerCase(), value);
    if (secret) secrets.push(value);
  };
  for (const { name, value, origin } of transport.headers) {
    const expanded = expandTemplate(value, env);
    if ("unset" in expanded)
      problems.push({ kind: "unset", variable: expanded.unset, at: origin });
    // A value that stands in the file is no secret; one from the environment may be.
    else add(name, expanded.text, referencesOf(value).length > 0, origin);
  }
  const use = transport.token;
  if (use.kind !== "none" && token !== null) {
    const value = token.reveal();
    if (use.kind === "bearer") {
      add("authorization", `Bearer ${value}`, false, use.origin);
      secrets.push(value);
    } else add(use.header, value, true, use.origin);
  }
  return problems.length > 0 ? { problems } : { lines, secrets };
}
