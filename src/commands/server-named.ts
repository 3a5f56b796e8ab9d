// The server that a person names.
import { report } from "../diagnostics/catalog.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { nearest } from "../match/nearest.ts";
import type { Model, Server } from "../model/model.ts";

/** The server of that name, or what is wrong. */
export function serverNamed(model: Model, name: string): Server | Diagnostic {
  const found = model.servers.find((each) => each.name === name);
  return (
    found ??
    report("explain/unknown-server", {
      name,
      nearest: nearest(
        name,
        model.servers.map((each) => each.name),
      ),
    })
  );
}
