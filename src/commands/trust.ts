// `fenzi trust`: a person looks at what the repository's files add, once for these bytes, and at which programs of the
// machine may be started here.
import { loadProject } from "../compile.ts";
import { report } from "../diagnostics/catalog.ts";
import { hasErrors } from "../diagnostics/diagnostic.ts";
import { canAsk } from "../host/can-ask.ts";
import type { Host } from "../host/host.ts";
import { stateFolder } from "../read/discover.ts";
import { addTrust } from "../state/trust.ts";
import { describeAdditions } from "../views/additions.ts";
import { terminal } from "../views/terminal.ts";
import { exitFor, type Exit } from "./outcome.ts";
import {
  addingFiles,
  askTrust,
  startingFiles,
  untrustedFiles,
} from "./trust-gate.ts";

export async function trust(
  host: Host,
  options: { readonly yes?: boolean },
): Promise<Exit> {
  const view = terminal(host);
  const project = loadProject(host);
  view.diagnostics(project.diagnostics, project.texts);
  if (hasErrors(project.diagnostics)) return 1;
  const adding = addingFiles(project);
  const starting = startingFiles(host, project);
  const { files, diagnostics } = untrustedFiles(host, project, [
    ...adding,
    ...starting.filter(({ file }) => !adding.some((f) => f.file === file)),
  ]);
  if (diagnostics.length > 0) {
    view.diagnostics(diagnostics, project.texts);
    return 1;
  }
  if (files.length === 0) {
    view.out(
      "nothing to trust: no file here adds servers that are not trusted",
    );
    return 0;
  }
  if (options.yes !== true && !canAsk(host)) {
    for (const line of describeAdditions(host, project)) view.note(line);
    view.diagnostics(
      [report("trust/needs-terminal", { command: "fenzi trust" })],
      project.texts,
    );
    return 1;
  }
  if (options.yes === true)
    for (const line of describeAdditions(host, project)) view.note(line);
  const problems =
    options.yes === true
      ? (await addTrust(host, stateFolder(host), files)).diagnostics
      : await askTrust(host, project, files);
  view.diagnostics(problems, project.texts);
  if (problems.length > 0) return exitFor(problems) || 1;
  view.out(`trusted: ${files.map((f) => view.show(f.file)).join(", ")}`);
  return 0;
}
