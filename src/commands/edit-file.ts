// One edit of a `fenzi.yaml` or of the machine file, from text to disk: the whole project is loaded with the new text
// before a byte is written, what somebody else wrote meanwhile is read and edited again, and trust is carried over.
import { join } from "node:path";
import { loadProject, trustedHash, type Project } from "../compile.ts";
import { report } from "../diagnostics/catalog.ts";
import { hasErrors, type Diagnostic } from "../diagnostics/diagnostic.ts";
import type { Host } from "../host/host.ts";
import { systemReason } from "../host/system-reason.ts";
import { writeChange } from "../plan/write.ts";
import { discover, PROJECT_FILE, stateFolder } from "../read/discover.ts";
import type { FileText } from "../read/read-file.ts";
import { lockPath, withLock } from "../state/lock.ts";
import { addTrust, readTrust } from "../state/trust.ts";
import { untrustedFiles } from "./trust-gate.ts";

/** The file that an edit goes to. */
export interface Target {
  /** Absolute; it need not be there. */
  readonly file: string;
  readonly machine: boolean;
}

/** The file that `mcp add` and `mcp import` write: the machine's, one in the current folder, or the nearest. */
export function chooseTarget(
  host: Host,
  options: { readonly machine?: boolean; readonly here?: boolean },
): Target {
  const found = discover(host);
  if (options.machine === true)
    return { file: found.machineFile, machine: true };
  const nearest = found.files.find((f) => f.layer === "project")?.file;
  return {
    file:
      nearest === undefined || options.here === true
        ? join(host.cwd, PROJECT_FILE)
        : nearest,
    machine: false,
  };
}

/** Makes the new text; `""` stands for an absent file. */
export type TextEdit = (
  text: string,
  project: Project,
) =>
  { readonly text: string } | { readonly diagnostics: readonly Diagnostic[] };

interface EditOptions {
  /** Goes as far as writing, and no further. */
  readonly dryRun: boolean;
  /** Whether the new bytes are trusted when the old ones were, or when there was nothing to trust. */
  readonly carryTrust: boolean;
  /** Errors that were there before may stay: for an edit that only takes away. */
  readonly lessIsFine: boolean;
}

export interface Edited {
  readonly done: boolean;
  /** The texts around the edit; `before` is null for a new file. */
  readonly before: string | null;
  readonly after: string;
  /** With the new text. */
  readonly project: Project;
  /** Errors that stopped the edit, or warnings that were not there before. */
  readonly diagnostics: readonly Diagnostic[];
}

const TRIES = 3;

export async function editFile(
  host: Host,
  target: Target,
  edit: TextEdit,
  options: EditOptions,
): Promise<Edited> {
  if (options.dryRun) return prepare(host, target, edit, options).edited;
  try {
    return await withLock(
      host,
      lockPath(host, stateFolder(host), target.file),
      async () => {
        for (let attempt = 1; ; attempt++) {
          const prepared = prepare(host, target, edit, options);
          const { edited } = prepared;
          if (!edited.done || edited.after === (edited.before ?? ""))
            return edited;
          const written = writeChange(
            host,
            { path: prepared.path, before: edited.before, text: edited.after },
            target.machine ? 0o600 : 0o644,
          );
          if (written === "changed-meanwhile" && attempt < TRIES) continue;
          if (written !== "written")
            return refused(edited, [
              written === "changed-meanwhile"
                ? report("write/changed-meanwhile", { file: target.file })
                : written,
            ]);
          if (!options.carryTrust || target.machine || !prepared.trusted)
            return edited;
          return { ...edited, diagnostics: await carry(host, target, edited) };
        }
      },
    );
  } catch (error) {
    // The lock is the only thing that is touched outside of what reports for itself.
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    const place = { file: stateFolder(host), reason: systemReason(code) };
    const stopped = prepare(host, target, edit, options).edited;
    return refused(stopped, [report("write/not-writable", place)]);
  }
}

const refused = (edited: Edited, problems: readonly Diagnostic[]): Edited => ({
  ...edited,
  done: false,
  diagnostics: [...edited.diagnostics, ...problems],
});

interface Prepared {
  readonly edited: Edited;
  /** Where to write: the file itself, behind a link. */
  readonly path: string;
  /** The old bytes were trusted, or added nothing. */
  readonly trusted: boolean;
}

/** Reads once, edits, and loads everything with the new text. */
function prepare(
  host: Host,
  target: Target,
  edit: TextEdit,
  { lessIsFine }: Pick<EditOptions, "lessIsFine">,
): Prepared {
  const old = loadProject(host);
  const file: FileText | null = old.texts.get(target.file) ?? null;
  const before = file?.text ?? null;
  const trusted = isTrusted(host, old, file);
  const path = file?.real ?? target.file;
  const stop = (
    diagnostics: readonly Diagnostic[],
    project = old,
  ): Prepared => ({
    edited: { done: false, before, after: before ?? "", project, diagnostics },
    path,
    trusted,
  });
  const unread = old.diagnostics.filter((d) => d.at?.file === target.file);
  if (file === null && hasErrors(unread)) return stop(unread);
  const made = edit(before ?? "", old);
  if ("diagnostics" in made)
    return stop(hasErrors(unread) ? unread : made.diagnostics);
  if (made.text === (before ?? "")) {
    const same = { done: true, before, after: made.text, project: old };
    return hasErrors(old.diagnostics)
      ? stop(old.diagnostics)
      : { edited: { ...same, diagnostics: [] }, path, trusted };
  }
  const project = loadProject(host, new Map([[target.file, made.text]]));
  const known = new Set(old.diagnostics.map((d) => `${d.code} ${d.message}`));
  // Errors that are there already have their lines in the file as it is, and are to be seen there.
  const added = project.diagnostics.filter(
    (d) => d.severity === "error" && !known.has(`${d.code} ${d.message}`),
  );
  if (added.length > 0 && !hasErrors(old.diagnostics))
    return stop(project.diagnostics, project);
  if (hasErrors(project.diagnostics) && (added.length > 0 || !lessIsFine))
    return stop(old.diagnostics);
  return {
    edited: {
      done: true,
      before,
      after: made.text,
      project,
      diagnostics: project.diagnostics.filter(
        (d) => !known.has(`${d.code} ${d.message}`),
      ),
    },
    path,
    trusted,
  };
}

function isTrusted(
  host: Host,
  project: Project,
  file: FileText | null,
): boolean {
  if (file === null) return true;
  // With an error somewhere it cannot be said what the file adds; bytes that are known are trusted even so.
  if (project.model === null) {
    const known = readTrust(host, stateFolder(host)).value;
    return known?.get(file.real) === trustedHash(project, file);
  }
  const { files, diagnostics } = untrustedFiles(host, project);
  return diagnostics.length === 0 && files.every((f) => f.file !== file.real);
}

/** Whether the edited file adds servers that a person has not looked at. */
export function isUntrusted(host: Host, edited: Edited, file: string): boolean {
  const real = host.files.realpath(file);
  return untrustedFiles(host, edited.project).files.some(
    (f) => f.file === real,
  );
}

/** Trusts what was written. A state that cannot be changed leaves the file untrusted, and is said. */
async function carry(
  host: Host,
  target: Target,
  edited: Edited,
): Promise<readonly Diagnostic[]> {
  const written = edited.project.texts.get(target.file);
  const adds = edited.project.model?.layers.some(
    (l) => l.file === target.file && l.adds,
  );
  if (written === undefined || adds !== true) return edited.diagnostics;
  const real = host.files.realpath(target.file);
  const kept = await addTrust(host, stateFolder(host), [
    { file: real, hash: trustedHash(edited.project, written) },
  ]);
  return [...edited.diagnostics, ...kept.diagnostics];
}
