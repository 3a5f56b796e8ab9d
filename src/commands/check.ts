// `fenzi check`: every problem of the files that count here.
import { emitters } from "../../emitters/index.ts";
import { compile, loadProject } from "../compile.ts";
import { report } from "../diagnostics/catalog.ts";
import { hasErrors, type Diagnostic } from "../diagnostics/diagnostic.ts";
import type { Host } from "../host/host.ts";
import type { Model } from "../model/model.ts";
import { printDocument } from "../views/document.ts";
import { terminal } from "../views/terminal.ts";
import { agentServers, loadedFrom, type Folders } from "./other-servers.ts";
import type { Exit } from "./outcome.ts";

interface CheckOptions {
  readonly strict?: boolean;
  readonly json?: boolean;
}

export function check(host: Host, options: CheckOptions): Exit {
  const project = loadProject(host);
  const { files } = project.found;
  const diagnostics: readonly Diagnostic[] =
    files.length === 0
      ? [
          report(
            "read/no-project",
            { folder: project.found.project },
            { severity: "warning", help: "`fenzi init` makes a first file" },
          ),
        ]
      : project.diagnostics;
  const ok =
    !hasErrors(diagnostics) &&
    (options.strict !== true || diagnostics.length === 0);
  const shown = [...diagnostics, ...besideOurs(host, project.found)];
  if (options.json === true)
    printDocument(host, { ok, hash: project.hash }, shown);
  else {
    const view = terminal(host);
    view.diagnostics(shown, project.texts);
    if (ok && project.model !== null && files.length > 0) {
      view.out(
        summary(
          project.model.servers.length,
          files.map((f) => view.show(f.file)),
        ),
      );
      const stopped = agentsThatStop(host, project.model);
      if (stopped.length > 0)
        view.note(
          `\`fenzi compile\` stops for ${stopped.join(", ")}; its \`--dry-run\` says why`,
        );
    }
  }
  return ok ? 0 : 1;
}

/** What every agent would load here that is not of fenzi, and files of theirs that cannot be read. */
const besideOurs = (host: Host, folders: Folders): readonly Diagnostic[] =>
  emitters.flatMap((emitter) => {
    const servers = agentServers(host, emitter, folders);
    return [
      ...[...servers.byName.keys()].flatMap((name) => {
        const from = loadedFrom(emitter, servers, name);
        return from === null
          ? []
          : [
              report(
                "agent/also-loads",
                { agent: emitter.target, server: name },
                { at: from.at },
              ),
            ];
      }),
      ...servers.diagnostics,
    ];
  });

const summary = (servers: number, files: readonly string[]): string =>
  `ok: ${servers} ${servers === 1 ? "server" : "servers"} from ${files.join(", ")}`;

/** The files are in order; which agents could not be compiled from them? */
const agentsThatStop = (host: Host, model: Model): readonly string[] =>
  compile(host, model, {
    emitters,
    out: null,
    at: null,
    workdir: null,
    allowUnenforced: false,
  })
    .agents.filter((agent) => hasErrors(agent.diagnostics))
    .map((agent) => agent.agent);
