// What `fenzi apply` would write for every agent, and what stands in its way: conflicts in the project's files, and servers
// that an agent would load beside ours or in the place of ours.
import { emitProject, type Project } from "../compile.ts";
import { airGapWarnings, given } from "../deliver/deliver.ts";
import { report } from "../diagnostics/catalog.ts";
import { hasErrors, type Diagnostic } from "../diagnostics/diagnostic.ts";
import type { Emitter, SharedFile } from "../emit/emitter.ts";
import type { Host } from "../host/host.ts";
import { realPath } from "../host/real-path.ts";
import type { Applied } from "../model/applied.ts";
import type { Launch } from "../model/delivered.ts";
import { planShared, targetOf, type SharedPlan } from "../plan/plan-shared.ts";
import { decodeUtf8 } from "../read/decode-utf8.ts";
import { stateFolder } from "../read/discover.ts";
import { readApplied, type AppliedFiles } from "../state/applied.ts";
import { join } from "node:path";
import {
  agentServers,
  othersToSwitchOff,
  type AgentServers,
} from "./other-servers.ts";

interface ApplyPlanOptions {
  readonly emitters: readonly Emitter[];
  readonly revert: boolean;
  readonly only: boolean;
  /** Why nothing may be written. */
  readonly gate: readonly Diagnostic[];
}

interface AppliedAgent {
  readonly agent: string;
  readonly launch: Launch;
  readonly condition: string | null;
}

export interface PlannedApply {
  readonly agents: readonly AppliedAgent[];
  readonly plans: readonly SharedPlan[];
  readonly diagnostics: readonly Diagnostic[];
}

export function planApply(
  host: Host,
  project: Project,
  options: ApplyPlanOptions,
): PlannedApply {
  const { found } = project;
  const stop = (diagnostics: readonly Diagnostic[]): PlannedApply => ({
    agents: [],
    plans: [],
    diagnostics,
  });
  const known = options.revert
    ? []
    : [
        ...project.diagnostics,
        ...options.gate,
        ...(project.model === null ? [] : airGapWarnings(project.model)),
      ];
  if (!options.revert && (project.model === null || hasErrors(known)))
    return stop(known);
  if (!options.revert && found.files.length === 0)
    return stop([
      report(
        "read/no-project",
        { folder: found.project },
        { help: "`fenzi init` makes a first file" },
      ),
    ]);
  if (realPath(host.files, found.project) === realPath(host.files, host.home))
    return stop([report("apply/home", { folder: found.project })]);
  const noted = readApplied(host, stateFolder(host));
  if (noted.value === null) return stop(noted.diagnostics);
  const diagnostics: Diagnostic[] = [...known];
  const broken = new Set<string>();
  const agents: AppliedAgent[] = [];
  const plans: SharedPlan[] = [];
  for (const emitter of options.emitters) {
    const planned = planAgent(host, project, options, emitter, noted.value);
    for (const each of planned.diagnostics) diagnostics.push(each);
    if (hasErrors(planned.diagnostics)) broken.add(emitter.target);
    agents.push(planned.agent);
    plans.push(planned.plan);
  }
  if (broken.size > 0 && options.emitters.length > 1)
    diagnostics.push(
      report("emit/agents-that-work", {
        flags: options.emitters
          .filter((e) => !broken.has(e.target))
          .map((e) => `--agent ${e.target}`)
          .join(" "),
        done: "written",
      }),
    );
  return { agents, plans, diagnostics };
}

function planAgent(
  host: Host,
  project: Project,
  options: ApplyPlanOptions,
  emitter: Emitter,
  noted: AppliedFiles,
): {
  readonly agent: AppliedAgent;
  readonly plan: SharedPlan;
  readonly diagnostics: readonly Diagnostic[];
} {
  const { found } = project;
  const model = options.revert ? null : project.model;
  const first = emitProject(emitter, found.project, model, []);
  const applied = appliedIn(host, project, first.emission.files, noted);
  const targets = new Set(
    first.emission.files.map((f) => targetOf(host, found.project, f, applied)),
  );
  const ours = new Set(model === null ? [] : given(model).map((s) => s.name));
  const servers =
    model === null
      ? null
      : agentServers(host, emitter, {
          project: found.project,
          repository: found.repository,
        });
  const { emission, needs } =
    servers !== null && options.only
      ? emitProject(
          emitter,
          found.project,
          model,
          othersToSwitchOff(emitter, servers, ours, targets),
        )
      : first;
  const planned = planShared(host, {
    agent: emitter.target,
    project: found.project,
    files: emission.files,
    applied,
    decode: (bytes) => {
      const text = decodeUtf8(bytes);
      return typeof text === "string" ? text : null;
    },
  });
  return {
    agent: {
      agent: emitter.target,
      launch: { argv: [emitter.program], env: {}, needs, cwd: found.project },
      condition: emitter.condition,
    },
    plan: planned.plan,
    diagnostics: [
      ...planned.diagnostics,
      ...(servers === null ? [] : meeting(emitter, servers, ours, targets)),
      ...emission.stillLoaded.map((other) =>
        report(
          "apply/still-loaded",
          { agent: emitter.target, server: other.name },
          { at: other.at },
        ),
      ),
    ],
  };
}

/** What is noted of an agent's files, by path as the project is named. */
function appliedIn(
  host: Host,
  { found }: Project,
  files: readonly SharedFile[],
  noted: AppliedFiles,
): ReadonlyMap<string, readonly Applied[]> {
  const real = realPath(host.files, found.project);
  return new Map(
    files
      .flatMap((f) => f.paths)
      .map((name) => [
        join(found.project, name),
        noted.get(join(real, name)) ?? [],
      ]),
  );
}

/** Servers of other files that have the name of one of ours. */
function meeting(
  { target: agent, others }: Emitter,
  servers: AgentServers,
  ours: ReadonlySet<string>,
  targets: ReadonlySet<string>,
): readonly Diagnostic[] {
  const rank = [...targets].reduce(
    (most, file) => Math.max(most, servers.rankOf(file)),
    -1,
  );
  return [...ours].flatMap((server) => {
    const strangers = (servers.byName.get(server) ?? []).filter(
      (e) => e.kind === "server" && !targets.has(e.file),
    );
    const last = strangers.at(-1);
    if (last === undefined) return [];
    if (others.sameName === "fails")
      return [report("apply/meets", { agent, server }, { at: last.at })];
    return last.rank > rank && !servers.isListedOff(last)
      ? [report("apply/shadowed", { agent, server }, { at: last.at })]
      : [];
  });
}
