// `fenzi compile`: a self-contained folder for each agent, and the line that starts it.
import { join, resolve } from "node:path";
import { emitters } from "../../emitters/index.ts";
import {
  compile as compileAll,
  loadProject,
  type CompiledAgent,
  type Project,
} from "../compile.ts";
import { given } from "../deliver/deliver.ts";
import { report } from "../diagnostics/catalog.ts";
import { hasErrors, type Diagnostic } from "../diagnostics/diagnostic.ts";
import type { Emitter } from "../emit/emitter.ts";
import type { Host } from "../host/host.ts";
import { realPath } from "../host/real-path.ts";
import { notWritable, planFolder, type Plan } from "../plan/plan.ts";
import { writePlan } from "../plan/write.ts";
import { OPEN_METHODS } from "../policy/method-table.ts";
import { stateFolder } from "../read/discover.ts";
import { noteCompiled, readCompiled } from "../state/compiled.ts";
import { compileDocument, printCompiled } from "../views/compiled.ts";
import { printDocument } from "../views/document.ts";
import { terminal } from "../views/terminal.ts";
import { chooseEmitters } from "./choose-emitters.ts";
import { exitFor, UsageError, type Exit } from "./outcome.ts";
import { passTrust, untrustedFiles, type TrustFlag } from "./trust-gate.ts";

interface CompileOptions {
  readonly agent?: readonly string[];
  readonly out?: string;
  readonly at?: string;
  readonly workdir?: string;
  readonly trust?: TrustFlag;
  readonly allowUnenforced?: boolean;
  readonly dryRun?: boolean;
  readonly check?: boolean;
  readonly strict?: boolean;
  readonly json?: boolean;
}

/** A result of planning: what would be written, and every problem on the way. */
interface Planned {
  readonly project: Project;
  readonly agents: readonly CompiledAgent[];
  readonly plans: readonly Plan[];
  readonly diagnostics: readonly Diagnostic[];
}

const TRIES = 3;

export async function compile(
  host: Host,
  options: CompileOptions,
): Promise<Exit> {
  const chosen = chooseEmitters(options.agent ?? []);
  for (const flag of ["at", "workdir"] as const)
    if (
      options[flag] !== undefined &&
      !/^(?:\/|[A-Za-z]:[\\/])/.test(options[flag])
    )
      throw new UsageError(`\`--${flag}\` takes an absolute path`);
  const project = loadProject(host);
  const writes = options.dryRun !== true && options.check !== true;
  const gate =
    writes && project.model !== null && !hasErrors(project.diagnostics)
      ? await passTrust(host, project, options.trust)
      : [];
  for (let attempt = 1; ; attempt++) {
    const planned = planAll(host, project, chosen, options, gate);
    const failed =
      hasErrors(planned.diagnostics) ||
      (options.strict === true &&
        planned.diagnostics.some((d) => d.severity === "warning"));
    const written = failed || !writes ? null : await write(host, planned);
    if (written === "changed-meanwhile" && attempt < TRIES) continue;
    const problems =
      written === null || written === "written"
        ? []
        : [
            written === "changed-meanwhile"
              ? report("write/changed-meanwhile", {
                  file: planned.plans[0]?.folder ?? "",
                })
              : written,
          ];
    return show(
      host,
      options,
      { ...planned, diagnostics: [...planned.diagnostics, ...problems] },
      failed,
    );
  }
}

function planAll(
  host: Host,
  project: Project,
  chosen: readonly Emitter[],
  options: CompileOptions,
  gate: readonly Diagnostic[],
): Planned {
  const stop = [...project.diagnostics, ...gate];
  if (project.model === null || hasErrors(stop))
    return { project, agents: [], plans: [], diagnostics: stop };
  if (project.found.files.length === 0)
    return {
      project,
      agents: [],
      plans: [],
      diagnostics: [
        report(
          "read/no-project",
          { folder: project.found.project },
          { help: "`fenzi init` makes a first file" },
        ),
      ],
    };
  const out = options.out === undefined ? null : resolve(host.cwd, options.out);
  const { agents, diagnostics } = compileAll(host, project.model, {
    emitters: chosen,
    out,
    at: options.at ?? null,
    workdir: options.workdir ?? null,
    allowUnenforced: options.allowUnenforced === true,
  });
  const compiled = readCompiled(host, stateFolder(host));
  const owned = compiled.value ?? new Map<string, readonly string[]>();
  const found: Diagnostic[] = [
    ...stop,
    ...diagnostics,
    ...compiled.diagnostics,
  ];
  if (out !== null)
    for (const each of outProblem(host, out, owned)) found.push(each);
  const broken = new Set(
    agents.filter((a) => hasErrors(a.diagnostics)).map((a) => a.agent),
  );
  const plans: Plan[] = [];
  for (const agent of agents) {
    const planned = planFolder(host, {
      agent: agent.agent,
      folder: agent.folder,
      emission: agent.emission,
      ownFolders: ownFolders(agent, options.at ?? null),
      reads: agent.emitter.reads,
      owned: owned.get(realPath(host.files, agent.folder)) ?? [],
    });
    if (hasErrors(planned.diagnostics)) broken.add(agent.agent);
    for (const each of planned.diagnostics) found.push(each);
    if (planned.value !== null) plans.push(planned.value);
  }
  if (broken.size > 0 && agents.length > 1) {
    const working = agents
      .filter((a) => !broken.has(a.agent))
      .map((a) => `--agent ${a.agent}`);
    found.push(
      report("emit/agents-that-work", {
        flags: working.join(" "),
        done: "compiled",
      }),
    );
  }
  return { project, agents, plans, diagnostics: found };
}

/** The empty folders of the machine's local servers, as they are on this machine. */
const ownFolders = (
  agent: CompiledAgent,
  at: string | null,
): readonly string[] =>
  agent.servers.flatMap((s) =>
    s.transport.kind === "stdio" && s.transport.cwd.why === "own"
      ? [
          at === null
            ? s.transport.cwd.path
            : join(agent.folder, "servers", s.name),
        ]
      : [],
  );

/** `--out` must be absent, empty, or hold a folder that was compiled before. */
function outProblem(
  host: Host,
  out: string,
  owned: ReadonlyMap<string, readonly string[]>,
): readonly Diagnostic[] {
  const real = realPath(host.files, out);
  if (emitters.some((e) => owned.has(join(real, e.target)))) return [];
  const help = "name a new folder, or empty this one";
  try {
    const kind = host.files.lstat(out)?.kind ?? null;
    // Planning tells of a link.
    if (kind === null || kind === "link") return [];
    return kind === "folder" && host.files.list(out).length === 0
      ? []
      : [report("plan/out-not-ours", { folder: out }, { help })];
  } catch (error) {
    return [notWritable(out, error)];
  }
}

async function write(
  host: Host,
  planned: Planned,
): Promise<"written" | "changed-meanwhile" | Diagnostic> {
  const state = stateFolder(host);
  const files = (after: boolean) =>
    new Map(
      planned.plans.map((p) => [
        realPath(host.files, p.folder),
        after
          ? p.files
          : [
              ...new Set([
                ...p.files,
                ...p.changes
                  .filter((c) => c.change === "delete")
                  .map((c) => relativeTo(p.folder, c.path)),
              ]),
            ].sort(),
      ]),
    );
  // Noted before anything is written, so that a file that was left by a crash is known as ours.
  const noted = await noteCompiled(host, state, files(false));
  if (noted.diagnostics[0] !== undefined) return noted.diagnostics[0];
  for (const plan of planned.plans) {
    const result = writePlan(host, plan);
    if (result !== "written") return result;
  }
  if (!planned.plans.some((p) => p.changes.some((c) => c.change === "delete")))
    return "written";
  const kept = await noteCompiled(host, state, files(true));
  return kept.diagnostics[0] ?? "written";
}

const relativeTo = (folder: string, path: string): string =>
  path.slice(folder.length + 1).replaceAll("\\", "/");

function show(
  host: Host,
  options: CompileOptions,
  planned: Planned,
  failed: boolean,
): Exit {
  const { project, agents, plans } = planned;
  const diagnostics = [...planned.diagnostics];
  const differing = plans
    .flatMap((p) => p.changes)
    .filter((c) => c.change !== "same").length;
  if (options.check === true && !hasErrors(diagnostics) && differing > 0)
    diagnostics.push(report("plan/differs", { count: differing }));
  const bad = failed || hasErrors(diagnostics);
  const trusted =
    options.trust !== undefined ||
    untrustedFiles(host, project).files.length === 0;
  if (options.json === true)
    printDocument(
      host,
      compileDocument(
        project.model === null ? [] : given(project.model),
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
      printCompiled(view, agents, plans, {
        diffs: options.dryRun === true || options.check === true,
        trusted,
      });
  }
  return bad ? exitFor(diagnostics) || 1 : 0;
}
