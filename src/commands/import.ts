// `fenzi mcp import`: the servers of other tools' files into `fenzi.yaml` or the machine file. Nothing is trusted by it,
// nothing is started, and no secret is copied.
import type { Project } from "../compile.ts";
import { report } from "../diagnostics/catalog.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { addServers, type Entry } from "../format/yaml-edit.ts";
import type { Host } from "../host/host.ts";
import { dirname, join } from "node:path";
import { importConfigs, type Imported } from "../import/import-configs.ts";
import type { ExistingServer } from "../import/settle.ts";
import { discover } from "../read/discover.ts";
import { printDocument } from "../views/document.ts";
import { printDiff } from "../views/edited.ts";
import { printImported } from "../views/imported.ts";
import { terminal } from "../views/terminal.ts";
import {
  chooseTarget,
  editFile,
  isUntrusted,
  type Edited,
  type Target,
  type TextEdit,
} from "./edit-file.ts";
import { allServers } from "./find-server.ts";
import { homeSources, namedSources, projectSources } from "./find-sources.ts";
import { exitFor, type Exit } from "./outcome.ts";

interface ImportOptions {
  readonly machine?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

export async function importServers(
  host: Host,
  files: readonly string[],
  options: ImportOptions,
): Promise<Exit> {
  const target = chooseTarget(host, options);
  const found =
    files.length > 0
      ? await namedSources(host, files)
      : target.machine
        ? homeSources(host)
        : projectSources(host, discover(host).project);
  const unread =
    found.sources.length === 0 && found.diagnostics.length === 0
      ? [report("import/nothing-found", {})]
      : found.diagnostics;
  if (unread.length > 0)
    return show(host, options, {
      target,
      imported: stopped({
        sources: found.unreadable.map((file) => ({
          file,
          format: "unreadable",
        })),
      }),
      problems: unread,
    });

  let imported: Imported = importConfigs([], []);
  const edit: TextEdit = (text, project) => {
    imported = importConfigs(found.sources, existing(project, target));
    return imported.sources.some((s) => s.format === "unreadable")
      ? { diagnostics: imported.diagnostics }
      : addAll(text, imported, target);
  };
  const edited = await editFile(host, target, edit, {
    dryRun: options.dryRun === true,
    carryTrust: false,
    lessIsFine: false,
  });
  // Known files may well hold other settings and no servers.
  const said = imported.diagnostics.filter(
    (d) => files.length > 0 || d.code !== "import/no-servers",
  );
  return show(host, options, {
    target,
    edited,
    imported: edited.done ? imported : stopped(imported),
    problems: edited.done
      ? [...said, ...edited.diagnostics]
      : edited.diagnostics,
  });
}

/** Nothing was written, so nothing was added, kept or dropped. */
const stopped = ({ sources }: Pick<Imported, "sources">): Imported => ({
  ...importConfigs([], []),
  sources,
});

function existing(project: Project, target: Target): readonly ExistingServer[] {
  return allServers(project).flatMap(({ name, layer, at, entry }) =>
    entry === null
      ? []
      : [{ name, at, entry, ownsHost: layer === "machine" && !target.machine }],
  );
}

function addAll(
  text: string,
  imported: Imported,
  target: Target,
): ReturnType<TextEdit> {
  const done = addServers(
    text,
    imported.entries.map(({ name, entry }) => [name, entry as Entry] as const),
  );
  if (!("problem" in done)) return { text: done.text };
  const place = { file: target.file, reason: done.problem };
  return { diagnostics: [report("write/cannot-edit", place)] };
}

interface Outcome {
  readonly target: Target;
  readonly edited?: Edited;
  readonly imported?: Imported;
  readonly problems: readonly Diagnostic[];
}

function show(host: Host, options: ImportOptions, outcome: Outcome): Exit {
  const { target, edited, problems } = outcome;
  const imported = outcome.imported ?? importConfigs([], []);
  const { sources, add, keep, dropped, tokens } = imported;
  const exit: Exit = exitFor(problems);
  if (options.json === true) {
    printDocument(host, { sources, add, keep, dropped, tokens }, problems);
    return exit;
  }
  const view = terminal(host);
  // The lines of other tools' files are not shown: they may hold secrets.
  view.diagnostics(problems, edited?.project.texts ?? new Map());
  if (edited?.done !== true) view.note("nothing was written");
  else if (options.dryRun === true)
    printDiff(view, { ...edited, file: target.file });
  else
    printImported(view, imported, {
      file: target.file,
      isNew: edited.before === null,
      emptyFirst:
        sources
          .map(({ file }) => file)
          .find((f) => f === join(dirname(target.file), ".mcp.json")) ?? null,
      untrusted: add.length > 0 && isUntrusted(host, edited, target.file),
      withToken: imported.entries.flatMap(({ name, entry }) =>
        entry.token === undefined ? [] : [name],
      ),
    });
  return exit;
}
