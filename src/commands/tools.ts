// `fenzi mcp tools NAME`: what a server offers now, beside the rules and the pins.
import { loadProject } from "../compile.ts";
import { hasErrors, type Diagnostic } from "../diagnostics/diagnostic.ts";
import type { Host } from "../host/host.ts";
import { stateFolder } from "../read/discover.ts";
import { readTexts } from "../state/pins.ts";
import { printDocument } from "../views/document.ts";
import { terminal } from "../views/terminal.ts";
import { toolLines, toolsDocument, unknownLines } from "../views/tool-list.ts";
import { passStart } from "./ask-offer.ts";
import { unknownRules } from "./compare-offer.ts";
import { lookAt, type Seen } from "./look-at.ts";
import { exitFor, type Exit } from "./outcome.ts";
import { serverNamed } from "./server-named.ts";
import { changeLines } from "./show-changes.ts";
import type { TrustFlag } from "./trust-gate.ts";

export async function tools(
  host: Host,
  name: string,
  options: { readonly trust?: TrustFlag; readonly json?: boolean },
): Promise<Exit> {
  const project = loadProject(host);
  const { model } = project;
  const diagnostics: Diagnostic[] = [...project.diagnostics];
  const server = model === null ? null : serverNamed(model, name);
  if (server !== null && "code" in server) diagnostics.push(server);
  let seen: Seen | null = null;
  if (model !== null && server !== null && !("code" in server)) {
    for (const each of await passStart(host, project, server, options.trust))
      diagnostics.push(each);
    if (!hasErrors(diagnostics)) {
      const found = await lookAt(host, model, server);
      for (const each of found.diagnostics) diagnostics.push(each);
      seen = found.seen;
    }
  }
  const unknown =
    seen === null
      ? []
      : unknownRules(
          seen.server,
          seen.compared.tools.map((tool) => tool.name),
        );
  const found = seen?.compared.tools ?? [];
  if (options.json === true)
    printDocument(host, toolsDocument(name, found, unknown), diagnostics);
  else {
    const view = terminal(host);
    view.diagnostics(diagnostics, project.texts);
    if (seen !== null) {
      if (found.length === 0) view.out(`${name} offers no tool`);
      for (const line of toolLines(found, view)) view.painted(line);
      for (const line of unknownLines(unknown)) view.out(line);
      const texts = readTexts(host, stateFolder(host), seen.server);
      for (const line of changeLines(seen, texts, view.paint))
        view.painted(line);
    }
  }
  return hasErrors(diagnostics) ? exitFor(diagnostics) || 1 : 0;
}
