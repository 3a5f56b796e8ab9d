// The agents' folders of one running gateway: made when it starts, with its addresses in them, and gone when it stops.
// A gateway that could not clean up leaves a folder that the next one takes away.
import { join } from "node:path";
import type { CompiledAgent } from "../compile.ts";
import { report } from "../diagnostics/catalog.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { Host } from "../host/host.ts";
import { planFolder } from "../plan/plan.ts";
import { writePlan } from "../plan/write.ts";
import { stateFolder } from "../read/discover.ts";

/** Where this process's folders lie, unless `--out` names a place. */
export const ownFolder = (host: Host): string =>
  join(runsFolder(host), String(host.pid));

const runsFolder = (host: Host): string => join(stateFolder(host), "gateway");

/** `--out` must be absent or empty: all that is in it is removed at the end. */
export function outProblem(host: Host, out: string): readonly Diagnostic[] {
  const stat = host.files.lstat(out);
  if (
    stat === null ||
    (stat.kind === "folder" && host.files.list(out).length === 0)
  )
    return [];
  return [
    report(
      "plan/out-not-ours",
      { folder: out },
      { help: "name a folder that is new or empty: it is removed at the end" },
    ),
  ];
}

export interface AgentFolders {
  /** Takes them away, with all that the agents wrote in them. */
  remove(): void;
}

/** Makes every agent's folder, mode 0700. What was made is to be removed even when there are problems. */
export function makeFolders(
  host: Host,
  out: string,
  agents: readonly CompiledAgent[],
): {
  readonly folders: AgentFolders;
  readonly problems: readonly Diagnostic[];
} {
  removeStale(host);
  // Of another process that had our number.
  if (out === ownFolder(host)) host.files.removeTree(out);
  const wasThere = host.files.lstat(out) !== null;
  return {
    folders: {
      remove() {
        for (const { folder } of agents) host.files.removeTree(folder);
        if (!wasThere) host.files.removeTree(out);
      },
    },
    problems: writeFolders(host, agents),
  };
}

/** Takes away what gateways left that live no more. */
function removeStale(host: Host): void {
  const runs = runsFolder(host);
  if (host.files.lstat(runs)?.kind !== "folder") return;
  for (const name of host.files.list(runs))
    if (/^\d{1,15}$/.test(name) && !host.processLives(Number(name)))
      host.files.removeTree(join(runs, name));
}

function writeFolders(
  host: Host,
  agents: readonly CompiledAgent[],
): readonly Diagnostic[] {
  for (const agent of agents) {
    const ownFolders = agent.servers.flatMap(({ transport }) =>
      transport.kind === "stdio" && transport.cwd.why === "own"
        ? [transport.cwd.path]
        : [],
    );
    const planned = planFolder(host, {
      agent: agent.agent,
      folder: agent.folder,
      emission: agent.emission,
      ownFolders,
      reads: agent.emitter.reads,
      owned: [],
    });
    if (planned.value === null || planned.diagnostics.length > 0)
      return planned.diagnostics;
    const written = writePlan(host, planned.value);
    if (written === "changed-meanwhile")
      return [report("write/changed-meanwhile", { file: agent.folder })];
    if (written !== "written") return [written];
  }
  return [];
}
