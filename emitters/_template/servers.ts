// The servers as the agent's file says them. What the agent would change or drop is a diagnostic, at its place.
import { report } from "../../src/diagnostics/catalog.ts";
import type { Diagnostic } from "../../src/diagnostics/diagnostic.ts";
import type { Delivered, NamedValue } from "../../src/model/delivered.ts";
import type { Template } from "../../src/model/model.ts";
import type { ServersFile, TemplateServer } from "./shape.ts";

export const serversFile = (servers: readonly Delivered[]): ServersFile => ({
  servers: Object.fromEntries(
    servers.map((server) => [server.name, entry(server)]),
  ),
});

function entry({ transport, filter }: Delivered): TemplateServer {
  const { everything, allow, ask, deny } = filter;
  const tools = { allow: everything ? ("all" as const) : allow, ask, deny };
  if (transport.kind === "stdio")
    return {
      command: transport.command.map(({ value }) => written(value)),
      env: named(transport.env),
      cwd: transport.cwd.path,
      tools,
    };
  const { url, headers, token } = transport;
  const bearer = token?.scheme === "bearer" ? "Bearer " : "";
  return {
    url,
    headers: {
      ...named(headers),
      ...(token === null
        ? {}
        : { [token.header]: `${bearer}\${${token.variable}}` }),
    },
    tools,
  };
}

const named = (values: readonly NamedValue[]) =>
  Object.fromEntries(values.map(({ name, value }) => [name, written(value)]));

/** This agent replaces `${NAME}`, and has no escape. */
const written = (template: Template): string =>
  template
    .map((part) => ("literal" in part ? part.literal : `\${${part.reference}}`))
    .join("");

export const serverProblems = (
  servers: readonly Delivered[],
  agent: string,
): readonly Diagnostic[] =>
  servers.flatMap(({ transport }) =>
    (transport.kind === "http"
      ? transport.headers.map((h) => ({ ...h, key: `headers.${h.name}` }))
      : [
          ...transport.command.map((word) => ({ ...word, key: "command" })),
          ...transport.env.map((e) => ({ ...e, key: `env.${e.name}` })),
        ]
    ).flatMap(({ value, at, key }) =>
      value.flatMap((part) =>
        "literal" in part && part.literal.includes("${")
          ? [
              report(
                "deliver/unescapable",
                { text: part.literal, agent, key },
                { at },
              ),
            ]
          : [],
      ),
    ),
  );
