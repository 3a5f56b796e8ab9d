// `fenzi apply`: every server behind `fenzi guard` in the agents' own files of the project, and out of them again.
import { join, relative } from "node:path";
import { loadProject, type Project } from "../compile.ts";
import { given } from "../deliver/deliver.ts";
import { report } from "../diagnostics/catalog.ts";
import { hasErrors, type Diagnostic } from "../diagnostics/diagnostic.ts";
import type { Host } from "../host/host.ts";
import { realPath } from "../host/real-path.ts";
import { systemReason } from "../host/system-reason.ts";
import type { Applied } from "../model/applied.ts";
import type { SharedChange } from "../plan/plan-shared.ts";
import { OPEN_METHODS } from "../policy/method-table.ts";
import { writeShared } from "../plan/write-shared.ts";
import { stateFolder } from "../read/discover.ts";
import { noteApplied } from "../state/applied.ts";
import { lockPath, withLock } from "../state/lock.ts";
import { appliedDocument, printApplied } from "../views/applied.ts";
import { printDocument } from "../views/document.ts";
import { terminal } from "../views/terminal.ts";
import { chooseEmitters } from "./compile.ts";
import { exitFor, UsageError, type Exit } from "./outcome.ts";
import { planApply, type PlannedApply } from "./plan-apply.ts";
import { passTrust, untrustedFiles, type TrustFlag } from "./trust-gate.ts";

interface ApplyOptions {
  readonly agent?: readonly string[];
  readonly only?: boolean;
  readonly dryRun?: boolean;
  readonly check?: boolean;
  readonly revert?: boolean;
  readonly trust?: TrustFlag;
  readonly json?: boolean;
}

const TRIES = 3;

export async function apply(host: Host, options: ApplyOptions): Promise<Exit> {
  const chosen = chooseEmitters(options.agent ?? []);
  const revert = options.revert === true;
  for (const flag of ["only", "trust"] as const)
    if (revert && options[flag] !== undefined)
      throw new UsageError(`\`--revert\` takes no \`--${flag}\``);
  const project = loadProject(host);
  const writes = options.dryRun !== true && options.check !== true;
  // Taking out what is ours is right whatever the files say by now.
  const gate =
    revert || project.model === null || hasErrors(project.diagnostics)
      ? []
      : writes
        ? await passTrust(host, project, options.trust)
        : [];
  const plan = () =>
    planApply(host, project, {
      emitters: chosen,
      revert,
      only: options.only === true,
      gate,
    });
  if (!writes) return show(host, options, project, plan());
  try {
    return await withLock(
      host,
      lockPath(host, stateFolder(host), project.found.project),
      async () => {
        for (let attempt = 1; ; attempt++) {
          const planned = plan();
          if (hasErrors(planned.diagnostics))
            return show(host, options, project, planned);
          const written = await write(host, project, planned);
          if (written === "changed-meanwhile" && attempt < TRIES) continue;
          const problem =
            written === "written"
              ? []
              : written === "changed-meanwhile"
                ? [
                    report("write/changed-meanwhile", {
                      file: project.found.project,
                    }),
                  ]
                : [written];
          return show(host, options, project, {
            ...planned,
            diagnostics: [...planned.diagnostics, ...problem],
          });
        }
      },
    );
  } catch (error) {
    // The lock is the only thing that is touched outside of what reports for itself.
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    const place = { file: stateFolder(host), reason: systemReason(code) };
    const planned = plan();
    return show(host, options, project, {
      ...planned,
      diagnostics: [
        ...planned.diagnostics,
        report("write/not-writable", place),
      ],
    });
  }
}

/** What is ours is noted before it is written, so that it is known after a crash, and noted again as it came out. */
async function write(
  host: Host,
  project: Project,
  { plans }: PlannedApply,
): Promise<"written" | "changed-meanwhile" | Diagnostic> {
  const changes = plans.flatMap((p) => p.changes);
  const note = async (
    of: (change: SharedChange) => readonly Applied[],
  ): Promise<Diagnostic | null> => {
    const noted = await noteApplied(
      host,
      stateFolder(host),
      new Map(
        changes.map((change) => [
          realPathOf(host, project, change.path),
          of(change),
        ]),
      ),
    );
    return noted.diagnostics[0] ?? null;
  };
  const own = ({ record }: SharedChange) => (record === null ? [] : [record]);
  const before = await note((change) =>
    change.change === "same"
      ? change.records
      : [...own(change), ...change.records],
  );
  if (before !== null) return before;
  const written = writeShared(host, changes);
  if (written !== "written")
    return (await note((change) => change.records)) ?? written;
  return (await note(own)) ?? "written";
}

/** The folder's real path and the file's name in it: nothing below the project is a link. */
const realPathOf = (host: Host, { found }: Project, path: string): string =>
  join(realPath(host.files, found.project), relative(found.project, path));

function show(
  host: Host,
  options: ApplyOptions,
  project: Project,
  planned: PlannedApply,
): Exit {
  const { agents, plans } = planned;
  const diagnostics = [...planned.diagnostics];
  const differing = plans
    .flatMap((p) => p.changes)
    .filter((c) => c.change !== "same").length;
  if (options.check === true && !hasErrors(diagnostics) && differing > 0)
    diagnostics.push(report("apply/differs", { count: differing }));
  const bad = hasErrors(diagnostics);
  if (options.json === true)
    printDocument(
      host,
      appliedDocument(
        project.model === null || options.revert === true
          ? []
          : given(project.model),
        OPEN_METHODS,
        agents,
        plans,
      ),
      diagnostics,
    );
  else {
    const view = terminal(host);
    view.diagnostics(diagnostics, project.texts);
    if (!bad || (options.check === true && differing > 0))
      printApplied(view, agents, plans, {
        diffs: options.dryRun === true || options.check === true,
        revert: options.revert === true,
        trusted:
          options.revert === true ||
          options.trust !== undefined ||
          untrustedFiles(host, project).files.length === 0,
      });
  }
  return bad ? exitFor(diagnostics) || 1 : 0;
}
