// The contract of a target: data plus one pure function. `emit-all.ts` runs it; `src/plan` writes what it returns.
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { Delivered, FilterReach, Launch } from "../model/delivered.ts";
import type { Json } from "../model/model.ts";

/**
 * native: the agent's own file holds it. enforced: not in this file, held by gateway, guard or sandbox (under `direct`
 * it counts as not held). unsupported: nobody holds it, and a use is a diagnostic.
 */
export type Support = "native" | "enforced" | "unsupported";

/** What a person can write about a server. Exhaustive, so that a new field does not compile without an answer. */
export interface SupportTable {
  readonly url: Support;
  readonly headers: Support;
  readonly token: Support;
  readonly command: Support;
  readonly env: Support;
  readonly cwd: Support;
  readonly isolation: Support;
  readonly "tools.allow": Support;
  readonly "tools.ask": Support;
  readonly "tools.deny": Support;
  readonly "limits.call": Support;
  readonly "limits.request": Support;
  readonly "limits.response": Support;
  readonly "limits.rate": Support;
  readonly "paths.read": Support;
  readonly "paths.write": Support;
  readonly "hosts.allow": Support;
  readonly "hosts.ports": Support;
  readonly private: Support;
  readonly "secrets.refuse": Support;
  readonly "secrets.redact": Support;
}

/** Everything an emitter knows besides the servers. All paths are absolute and as the agent will see them. */
export interface Context {
  /** Where the compiled folder of this agent will be. */
  readonly folder: string;
  /** The project's folder, where the agent is started. */
  readonly project: string;
  /** The repository's root. */
  readonly repository: string;
  /** Native settings from the machine file, laid under ours. */
  readonly settings: Json;
}

/** A file that Fenzi owns whole. `path` is relative to the compiled folder, POSIX, without `..`. */
export interface EmittedFile {
  readonly path: string;
  readonly text: string;
}

export interface Emission {
  readonly files: readonly EmittedFile[];
  /** Folders that must exist, relative to the compiled folder. */
  readonly folders: readonly string[];
  readonly launch: Launch;
  readonly diagnostics: readonly Diagnostic[];
}

export interface Emitter {
  /** Folder name, value of `--agent`, name in messages. */
  readonly target: string;
  /** Version of the agent that the facts of this emitter were measured with. */
  readonly version: string;
  readonly support: SupportTable;
  readonly filter: FilterReach;
  /**
   * Keys of the agent's settings, dotted where they lie deeper, that `agents.TARGET.config` must not hold: servers, rules,
   * trust.
   */
  readonly reserved: readonly string[];
  /** Names in the compiled folder that the agent reads as configuration or runs; one that we did not emit stops. */
  readonly reads: readonly string[];
  /** Pure, synchronous, total. */
  emit(servers: readonly Delivered[], context: Context): Emission;
}
