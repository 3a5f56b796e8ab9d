// The servers as the allow list of `requirements.toml` says them. Grok compares by URL without query, where `*`, `?` and `[`
// are patterns, or by every word of the command.
import type { Delivered } from "../../src/model/delivered.ts";
import { writtenInList } from "./expansion.ts";
import type { AllowedServer } from "./shape.ts";

export const allowedServers = (
  servers: readonly Delivered[],
): readonly AllowedServer[] =>
  servers.map(({ transport }) =>
    transport.kind === "http"
      ? { server_url: pattern(transport.url) }
      : {
          server_command: transport.command.map(({ value }) =>
            writtenInList(value),
          ),
        },
  );

function pattern(url: string): string {
  // An IPv6 host keeps its brackets.
  const [, origin = "", path = ""] = /^(\w+:\/\/[^/]*)([^?]*)/.exec(url) ?? [];
  return origin + writtenInList([{ literal: path.replace(/[*[\]]/g, "[$&]") }]);
}
