// `fenzi mcp list`: every server, where it comes from, what narrowed it, whether its token is stored.
import { loadProject } from "../compile.ts";
import { hasErrors } from "../diagnostics/diagnostic.ts";
import type { Host } from "../host/host.ts";
import type { Server } from "../model/model.ts";
import type { FoundTokens } from "../vault/find-tokens.ts";
import { shownRules } from "../policy/shown-rules.ts";
import { printDocument } from "../views/document.ts";
import {
  listDocument,
  listLines,
  type ListedServer,
} from "../views/server-list.ts";
import { terminal } from "../views/terminal.ts";
import type { Exit } from "./outcome.ts";
import { untrustedFiles } from "./trust-gate.ts";

export async function list(
  host: Host,
  options: { readonly json?: boolean },
): Promise<Exit> {
  const project = loadProject(host);
  const view = terminal(host);
  const untrusted = untrustedFiles(host, project);
  const diagnostics = [...project.diagnostics, ...untrusted.diagnostics];
  const waiting = new Set(
    untrusted.files.flatMap((f) =>
      [...project.texts.values()]
        .filter((t) => t.real === f.file)
        .map((t) => t.file),
    ),
  );
  const tokens = await tokensOf(host, project.model?.servers ?? []);
  for (const each of tokens.diagnostics) diagnostics.push(each);
  const servers = (project.model?.servers ?? []).map(
    (server): ListedServer => ({
      server,
      trusted: !waiting.has(server.origin.at.file),
      tools: shownRules(server),
      ...(tokens.tokens.get(server.name) ?? { token: "none", store: null }),
    }),
  );
  if (options.json === true)
    printDocument(
      host,
      listDocument(
        project.model,
        servers,
        project.model !== null && waiting.size === 0,
        project.found.project,
      ),
      diagnostics,
    );
  else {
    view.diagnostics(diagnostics, project.texts);
    if (project.model !== null)
      for (const line of listLines(servers, view, {
        project: project.found.project,
        machineFile: project.found.machineFile,
      }))
        view.painted(line);
  }
  return hasErrors(diagnostics) ? 1 : 0;
}

/** The vault is loaded only when a server uses a token. */
async function tokensOf(
  host: Host,
  servers: readonly Server[],
): Promise<FoundTokens> {
  const uses = servers.some(
    ({ transport }) =>
      transport.kind === "http" && transport.token.kind !== "none",
  );
  return uses
    ? (await import("../vault/find-tokens.ts")).findTokens(host, servers)
    : { tokens: new Map(), diagnostics: [] };
}
