// `fenzi mcp tools NAME`: what a server offers now, beside the rules and the pins.
import { loadProject } from "../compile.ts";
import { report } from "../diagnostics/catalog.ts";
import { hasErrors, type Diagnostic } from "../diagnostics/diagnostic.ts";
import { pinsOf } from "../enforce/pins.ts";
import { policyOf } from "../enforce/road.ts";
import type { Host } from "../host/host.ts";
import type { Model, Server } from "../model/model.ts";
import { stateFolder } from "../read/discover.ts";
import { readPins, readTexts } from "../state/pins.ts";
import { printDocument } from "../views/document.ts";
import { terminal } from "../views/terminal.ts";
import { toolLines, toolsDocument, unknownLines } from "../views/tool-list.ts";
import { askOffer, passStart, type AskedOffer } from "./ask-offer.ts";
import {
  compareOffer,
  unknownRules,
  type ComparedOffer,
} from "./compare-offer.ts";
import { exitFor, type Exit } from "./outcome.ts";
import { serverNamed } from "./server-named.ts";
import { changeLines } from "./show-changes.ts";
import type { TrustFlag } from "./trust-gate.ts";
import { sha256 } from "../sha256.ts";

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

export interface Seen {
  readonly server: Server;
  readonly compared: ComparedOffer;
  readonly clean: (json: string) => string;
}

/** Asks the server and compares. Warnings are part of it. */
export async function lookAt(
  host: Host,
  model: Model,
  server: Server,
): Promise<{
  readonly seen: Seen | null;
  readonly diagnostics: readonly Diagnostic[];
}> {
  const asked: AskedOffer = await askOffer(host, model, server);
  if ("problems" in asked) return { seen: null, diagnostics: asked.problems };
  const own = readPins(host, stateFolder(host), [server]);
  const compared = compareOffer(asked.offer, policyOf(server, model), {
    sha256,
    pins: pinsOf(model, own.pins, server.name),
  });
  return {
    seen: { server, compared, clean: asked.clean },
    diagnostics: [...own.diagnostics, ...warnings(server, compared)],
  };
}

function warnings(
  { name, origin }: Server,
  { tools: found, instructions }: ComparedOffer,
): readonly Diagnostic[] {
  const allowed = found.filter(({ ruled }) => ruled.effect !== "deny");
  const changed = allowed.filter(({ pinned }) => pinned === "changed");
  const what = [
    ...changed.map(({ shown }) => `\`${shown}\``),
    ...(instructions.state === "changed" ? ["its instructions"] : []),
  ];
  return [
    ...(what.length === 0
      ? []
      : [
          report(
            "pin/changed",
            { name, count: what.length, what: listed(what) },
            { at: origin.at, help: `read it, then \`fenzi mcp pin ${name}\`` },
          ),
        ]),
    ...allowed.flatMap(({ shown, problem }) =>
      problem === null
        ? []
        : [
            report(
              "pin/withheld",
              { name, tool: shown, reason: problem },
              { at: origin.at },
            ),
          ],
    ),
  ];
}

/** The first few. */
const listed = (words: readonly string[]): string =>
  words.length <= 4
    ? words.join(", ")
    : `${words.slice(0, 3).join(", ")} and ${words.length - 3} more`;
