// The contract of a target: data plus one pure function. `emit-all.ts` runs it; `src/plan` writes what it returns.
import type { Diagnostic, Span } from "../diagnostics/diagnostic.ts";
import type { Delivered, FilterReach, Launch } from "../model/delivered.ts";
import type { Json, JsonValue } from "../model/model.ts";

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

/** Keys of JSON, from the root on. */
export type KeyPath = readonly string[];

/** A JSON file that is also the user's, and what of it is ours. */
export interface SharedJson {
  readonly format: "json";
  /** Names it can have, relative to the project. The first that is there counts; when none is, the last is made. */
  readonly paths: readonly string[];
  /** What a new file begins with. */
  readonly fresh: readonly OwnedMember[];
  readonly members: readonly OwnedMember[];
  /** Strings in lists of the user's. */
  readonly items: readonly { readonly at: KeyPath; readonly item: string }[];
  /** Objects of the user's in which the order of our members means something. */
  readonly ordered: readonly KeyPath[];
  /** The object that holds servers by name, or null. */
  readonly servers: KeyPath | null;
}

export interface OwnedMember {
  readonly at: KeyPath;
  readonly value: JsonValue;
}

/** A TOML file that is also the user's: a marked block at its end is ours. */
export interface SharedToml {
  readonly format: "toml";
  readonly paths: readonly string[];
  /** Tables at the root, each with tables by name in it. */
  readonly tables: Json;
  /** Of `tables`: those that give way to one of the user's. */
  readonly yielding: readonly string[];
}

export type SharedFile = SharedJson | SharedToml;

/** A server that an agent would load beside ours. */
export interface OtherServer {
  readonly name: string;
  /** Where it is defined. */
  readonly at: Span;
  /** Whether that file is in the project itself, under one of the names that Fenzi writes to. */
  readonly inOurFile: boolean;
  /** The name of that file. */
  readonly file: string;
}

export interface ProjectContext {
  readonly project: string;
  /** Servers to switch off (`--only`); none without it. */
  readonly others: readonly OtherServer[];
}

export interface ProjectEmission {
  readonly files: readonly SharedFile[];
  /** Of `others`: those that no file of a project switches off. */
  readonly stillLoaded: readonly OtherServer[];
}

/** Where an agent looks for files that bring servers. */
export interface Source {
  readonly place:
    /** Below the home folder, or below the folder that a variable names. */
    | {
        readonly kind: "home";
        readonly variable: string | null;
        readonly folder: string;
      }
    /** The project's folder and those above it; the nearest counts most. */
    | {
        readonly kind: "project";
        readonly upTo: "project" | "repository" | "top";
      }
    | { readonly kind: "system" };
  /** Relative to the place, the one that counts most last. */
  readonly names: readonly string[];
  readonly format: "json" | "toml";
  /** The objects or tables in it that hold servers by name. `null` stands for the project's path. */
  readonly keys: readonly (readonly (string | null)[])[];
}

/** What an agent reads beside the files that `fenzi apply` writes. */
export interface OtherSources {
  /** The one that counts most last. */
  readonly sources: readonly Source[];
  /** Whether `enabled: false` in an entry keeps the agent from loading it. */
  readonly heedsEnabled: boolean;
  /**
   * What a server of a stronger file does to one of the same name: it takes its place, its keys are laid over the other's, or
   * the two together are an error to the agent.
   */
  readonly sameName: "replaces" | "merges" | "fails";
  /** Lists that switch off servers by name: of all files, or only of those with this name. */
  readonly off: readonly {
    readonly of: string | null;
    readonly sources: readonly Source[];
  }[];
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
  readonly others: OtherSources;
  /** The program by which the agent is started in a project. */
  readonly program: string;
  /** What has to be true before the agent goes by its own files in a project, in words; null: nothing. */
  readonly condition: string | null;
  /** A self-contained folder. Pure, synchronous, total. */
  emit(servers: readonly Delivered[], context: Context): Emission;
  /** The agent's own files in a project; `servers` are guards. Pure, synchronous, total. */
  emitShared(
    servers: readonly Delivered[],
    context: ProjectContext,
  ): ProjectEmission;
}
