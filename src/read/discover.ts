// Which files count here: the machine's, and those of the repository from the outermost to the nearest.
import { dirname, isAbsolute, join } from "node:path";
import { UsageError } from "../diagnostics/usage-error.ts";
import type { Host } from "../host/host.ts";
import { isThere } from "../host/is-there.ts";
import type { LayerName } from "../model/model.ts";

export const PROJECT_FILE = "fenzi.yaml";
const MACHINE_FILE = "mcp.yaml";
const IGNORE_FILE = ".fenziignore";
const LOCK_FILE = "fenzi.lock";

/** The lock file of a repository's file, beside it. It need not be there. */
export const lockOf = (file: string): string => join(dirname(file), LOCK_FILE);

interface FoundFile {
  readonly layer: LayerName;
  /** Absolute. */
  readonly file: string;
  /** The lock file beside it, when there is one. Only for root and project. */
  readonly lock: string | null;
}

export interface Discovery {
  /** The folder of the nearest `fenzi.yaml`, or the current folder. */
  readonly project: string;
  /** The nearest folder with `.git`, or the current folder. */
  readonly repository: string;
  /** Outermost first. */
  readonly files: readonly FoundFile[];
  /** Where the machine file is or would be. */
  readonly machineFile: string;
  /** The `.fenziignore` at the repository's root, or null. */
  readonly ignoreFile: string | null;
}

/**
 * Looks for files; reads none. A link counts as a file here: reading judges it. Those of `also` count as present: files
 * that are about to be made.
 */
export function discover(
  host: Host,
  also: ReadonlySet<string> = new Set(),
): Discovery {
  const machineFile = join(configFolder(host), MACHINE_FILE);
  // Complains before anything is shown or asked.
  stateFolder(host);
  const repository = repositoryRoot(host, host.cwd);
  const counts = (file: string) => also.has(file) || isThere(host.files, file);
  const found: string[] = [];
  for (let folder = host.cwd; ; folder = dirname(folder)) {
    const file = join(folder, PROJECT_FILE);
    if (counts(file)) found.unshift(file);
    if (folder === repository || folder === dirname(folder)) break;
  }
  const nearest = found.at(-1);
  const ignoreFile = join(repository, IGNORE_FILE);
  const files: FoundFile[] = found.map((file) => ({
    layer: file === nearest ? "project" : "root",
    file,
    lock: isThere(host.files, lockOf(file)) ? lockOf(file) : null,
  }));
  if (counts(machineFile))
    files.unshift({ layer: "machine", file: machineFile, lock: null });
  return {
    project: nearest === undefined ? host.cwd : dirname(nearest),
    repository,
    files,
    machineFile,
    ignoreFile: counts(ignoreFile) ? ignoreFile : null,
  };
}

function repositoryRoot(host: Host, start: string): string {
  for (let folder = start; ; folder = dirname(folder)) {
    if (isThere(host.files, join(folder, ".git"))) return folder;
    if (folder === dirname(folder)) return start;
  }
}

/** The folder of the machine's files: `FENZI_CONFIG_DIR`, or `fenzi` below `XDG_CONFIG_HOME` or `~/.config`. */
export const configFolder = (host: Host): string =>
  placed(host, "FENZI_CONFIG_DIR", "XDG_CONFIG_HOME", ".config");

/** The folder of compiled folders, trust and logs: `FENZI_STATE_DIR`, or below `XDG_STATE_HOME` or `~/.local/state`. */
export const stateFolder = (host: Host): string =>
  placed(host, "FENZI_STATE_DIR", "XDG_STATE_HOME", ".local/state");

function placed(
  host: Host,
  own: string,
  xdg: string,
  fallback: string,
): string {
  const set = host.env[own] ?? "";
  // A relative path would lead into whatever repository this is, which could then set its own limits and trust itself.
  if (set !== "" && !isAbsolute(set))
    throw new UsageError(
      `\`${own}\` must be an absolute path, and is \`${set}\``,
    );
  const base = host.env[xdg] ?? "";
  // The XDG specification: a relative path in these variables is invalid and must be ignored.
  const below = () => (isAbsolute(base) ? base : join(host.home, fallback));
  const folder = set === "" ? join(below(), "fenzi") : set;
  // A byte that is not UTF-8 is this mark here: the path leads elsewhere, where there are no limits.
  if (folder.includes("\ufffd"))
    throw new UsageError(
      `the path of fenzi's own files is not valid UTF-8: \`${folder}\``,
      `set \`${own}\` to another one`,
    );
  return folder;
}
