// `fenzi check`: every problem of the files that count here.
import { loadProject } from "../compile.ts";
import { hasErrors } from "../diagnostics/diagnostic.ts";
import type { Host } from "../host/host.ts";
import { printDocument } from "../views/document.ts";
import { terminal } from "../views/terminal.ts";
import type { Exit } from "./outcome.ts";

export interface CheckOptions {
  readonly strict?: boolean;
  readonly json?: boolean;
}

export function check(host: Host, options: CheckOptions): Exit {
  const project = loadProject(host);
  const { diagnostics } = project;
  const ok =
    !hasErrors(diagnostics) &&
    (options.strict !== true || diagnostics.length === 0);
  if (options.json === true)
    printDocument(host, { ok, hash: project.hash }, diagnostics);
  else {
    const view = terminal(host);
    view.diagnostics(diagnostics, project.texts);
    if (ok)
      view.out(
        summary(
          project.model?.servers.length ?? 0,
          project.found.files.map((f) => view.show(f.file)),
          view.show(project.found.machineFile),
        ),
      );
  }
  return ok ? 0 : 1;
}

const summary = (
  servers: number,
  files: readonly string[],
  machineFile: string,
): string =>
  files.length === 0
    ? `nothing to check: no fenzi.yaml here, and no machine file at ${machineFile}`
    : `ok: ${servers} ${servers === 1 ? "server" : "servers"} from ${files.join(", ")}`;
