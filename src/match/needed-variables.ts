// Which variables an agent needs for the servers it was given. Pure.
import type { Delivered } from "../model/delivered.ts";
import { referencesOf } from "./template.ts";

/** Tokens, references and `more` (the model's key), sorted, each once. */
export function neededVariables(
  servers: readonly Delivered[],
  more: readonly string[],
): readonly string[] {
  const names = servers.flatMap(({ transport }) =>
    transport.kind === "http"
      ? [
          ...(transport.token === null ? [] : [transport.token.variable]),
          ...transport.headers.flatMap(({ value }) => referencesOf(value)),
        ]
      : [...transport.command, ...transport.env].flatMap(({ value }) =>
          referencesOf(value),
        ),
  );
  return [...new Set([...names, ...more])].sort();
}
