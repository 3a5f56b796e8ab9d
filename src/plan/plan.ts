// Emitted files against what lies on the disk: what would be created, updated, deleted. Reads, writes nothing.
import { join } from "node:path";
import { report } from "../diagnostics/catalog.ts";
import type { Diagnostic, Result } from "../diagnostics/diagnostic.ts";
import type { Emission } from "../emit/emitter.ts";
import type { Host } from "../host/host.ts";
import { systemReason } from "../host/system-reason.ts";

export interface Change {
  /** Absolute. */
  readonly path: string;
  readonly change: "create" | "update" | "delete" | "same";
  /** What was read when planning; writing checks that it still stands. Null: absent. */
  readonly before: string | null;
  /** Null: to be deleted. */
  readonly text: string | null;
}

export interface Plan {
  readonly agent: string;
  /** The compiled folder. */
  readonly folder: string;
  readonly changes: readonly Change[];
  /** Folders to make, absolute. */
  readonly folders: readonly string[];
  /** Relative paths of all files that are ours afterwards. */
  readonly files: readonly string[];
}

export interface PlanInput {
  readonly agent: string;
  readonly folder: string;
  readonly emission: Emission;
  /** Names that the agent reads or runs, relative to the folder. */
  readonly reads: readonly string[];
  /** Relative paths that Fenzi wrote there before. */
  readonly owned: readonly string[];
}

const MOST_BYTES = 16 * 1024 * 1024;

export function planFolder(host: Host, input: PlanInput): Result<Plan> {
  const { agent, folder, emission, owned } = input;
  const diagnostics: Diagnostic[] = [];
  const emitted = new Map(emission.files.map((f) => [f.path, f.text]));
  for (const name of input.reads) {
    const file = join(folder, name);
    if (
      !emitted.has(name) &&
      !owned.includes(name) &&
      host.files.lstat(file) !== null
    )
      diagnostics.push(
        report(
          "plan/foreign-file",
          { file, agent },
          { help: "look at it, then move it away and compile again" },
        ),
      );
  }
  const gone = owned.filter((path) => !emitted.has(path));
  const changes: Change[] = [];
  for (const [path, text] of [
    ...emitted,
    ...gone.map((p) => [p, null] as const),
  ]) {
    const file = join(folder, path);
    const link = leavingLink(host, folder, path);
    if (link !== null) {
      diagnostics.push(report("plan/path-outside", { file: link }));
      continue;
    }
    const before = present(host, file);
    if (before.problem !== null)
      diagnostics.push(
        report("write/not-writable", { file, reason: before.problem }),
      );
    else if (text !== null || before.text !== null)
      changes.push({
        path: file,
        change: kindOf(before.text, text),
        before: before.text,
        text,
      });
  }
  changes.sort((a, b) => (a.path < b.path ? -1 : 1));
  return {
    value: {
      agent,
      folder,
      changes,
      folders: emission.folders.map((f) => join(folder, f)),
      files: [...emitted.keys()].sort(),
    },
    diagnostics,
  };
}

const kindOf = (
  before: string | null,
  text: string | null,
): Change["change"] =>
  before === text
    ? "same"
    : before === null
      ? "create"
      : text === null
        ? "delete"
        : "update";

/** The first part of the path below the folder that is a link, or null. */
function leavingLink(host: Host, folder: string, path: string): string | null {
  let at = folder;
  for (const part of path.split("/")) {
    at = join(at, part);
    if (host.files.lstat(at)?.kind === "link") return at;
  }
  return null;
}

/** A file of ours as text; a byte order mark stays. */
export const readWhole = (host: Host, file: string): string =>
  new TextDecoder("utf-8", { ignoreBOM: true }).decode(
    host.files.read(file, MOST_BYTES),
  );

function present(
  host: Host,
  file: string,
): { readonly text: string | null; readonly problem: string | null } {
  const stat = host.files.lstat(file);
  if (stat === null) return { text: null, problem: null };
  if (stat.kind !== "file")
    return {
      text: null,
      problem: "something that is not a file is in the way",
    };
  try {
    return { text: readWhole(host, file), problem: null };
  } catch (error) {
    return {
      text: null,
      problem: systemReason(
        (error as NodeJS.ErrnoException).code ?? "it cannot be read",
      ),
    };
  }
}
