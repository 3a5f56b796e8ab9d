// Emitted files against what lies on the disk: what would be created, updated, deleted. Reads, writes nothing.
import { dirname, join, relative, sep } from "node:path";
import { report } from "../diagnostics/catalog.ts";
import type { Diagnostic, Result } from "../diagnostics/diagnostic.ts";
import type { Emission } from "../emit/emitter.ts";
import type { Host } from "../host/host.ts";
import { isThere } from "../host/is-there.ts";
import { isInside } from "../host/real-path.ts";
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

interface PlanInput {
  readonly agent: string;
  readonly folder: string;
  readonly emission: Emission;
  /** Folders to make that the agent's files do not name, absolute. */
  readonly ownFolders: readonly string[];
  /** Names that the agent reads or runs, relative to the folder. */
  readonly reads: readonly string[];
  /** Relative paths that Fenzi wrote there before. */
  readonly owned: readonly string[];
}

const MOST_BYTES = 16 * 1024 * 1024;

export function planFolder(host: Host, input: PlanInput): Result<Plan> {
  const { agent, folder, emission, owned } = input;
  const folders = [
    ...emission.folders.map((f) => join(folder, f)),
    ...input.ownFolders,
  ];
  // Folders that are not below `--out` are those of servers, in the state folder.
  const out = dirname(folder);
  const blocked = [folder, ...folders].flatMap((each) => {
    const from = isInside(out, each) ? out : dirname(each);
    return obstacle(host, from, each) ?? [];
  });
  if (blocked.length > 0) return { value: null, diagnostics: blocked };
  const diagnostics: Diagnostic[] = [];
  const emitted = new Map(emission.files.map((f) => [f.path, f.text]));
  for (const name of input.reads) {
    const file = join(folder, name);
    if (
      !emitted.has(name) &&
      !owned.includes(name) &&
      isThere(host.files, file)
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
    const inTheWay = obstacle(host, folder, file);
    if (inTheWay !== null) {
      diagnostics.push(inTheWay);
      continue;
    }
    const before = present(host, file);
    if ("problem" in before) diagnostics.push(before.problem);
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
      folders,
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

/** The first part of a path, from a folder on, that is a link or cannot be looked at. */
function obstacle(host: Host, from: string, path: string): Diagnostic | null {
  let at = from;
  for (const part of ["", ...relative(from, path).split(sep)]) {
    at = join(at, part);
    try {
      if (host.files.lstat(at)?.kind === "link")
        return report("plan/path-outside", { file: at });
    } catch (error) {
      return notWritable(at, error);
    }
  }
  return null;
}

/** What the system refused, as a diagnostic. */
export const notWritable = (file: string, error: unknown): Diagnostic =>
  report("write/not-writable", {
    file,
    reason: systemReason((error as NodeJS.ErrnoException).code ?? ""),
  });

/** A file of ours as text; a byte order mark stays. */
export const readWhole = (host: Host, file: string): string =>
  new TextDecoder("utf-8", { ignoreBOM: true }).decode(
    host.files.read(file, MOST_BYTES),
  );

function present(
  host: Host,
  file: string,
): { readonly text: string | null } | { readonly problem: Diagnostic } {
  try {
    const stat = host.files.lstat(file);
    if (stat === null) return { text: null };
    if (stat.kind === "file") return { text: readWhole(host, file) };
    const reason = "something that is not a file is in the way";
    return { problem: report("write/not-writable", { file, reason }) };
  } catch (error) {
    return { problem: notWritable(file, error) };
  }
}
