// The agents' own files in a project against what is to be ours in them. Reads, writes nothing.
import { dirname, join, relative, sep } from "node:path";
import { report } from "../diagnostics/catalog.ts";
import { hasErrors, type Diagnostic } from "../diagnostics/diagnostic.ts";
import type { SharedFile, SharedJson } from "../emit/emitter.ts";
import type { Host } from "../host/host.ts";
import { isThere } from "../host/is-there.ts";
import type { Applied } from "../model/applied.ts";
import { editJson } from "./owned-json.ts";
import type { OwnedEdit } from "./owned-text.ts";
import { editToml } from "./owned-toml.ts";
import { notWritable, type Change } from "./plan.ts";

export interface SharedChange extends Change {
  /** What is ours in it, before and after; see `OwnedEdit`. */
  readonly view: OwnedEdit["view"];
  /** What is noted of the file now, newest first, and what is to be noted; null: nothing. */
  readonly records: readonly Applied[];
  readonly record: Applied | null;
  /** A folder that is made for the file, or goes when it is empty without it. */
  readonly folder: string | null;
}

export interface SharedPlan {
  readonly agent: string;
  readonly project: string;
  readonly changes: readonly SharedChange[];
}

interface SharedInput {
  readonly agent: string;
  /** Real path. */
  readonly project: string;
  readonly files: readonly SharedFile[];
  /** By path. */
  readonly applied: ReadonlyMap<string, readonly Applied[]>;
  /** Strict UTF-8 to text; otherwise where the first wrong byte stands is of no matter here. */
  readonly decode: (bytes: Uint8Array) => string | null;
}

/** Like that of a configuration file of ours. */
const MOST_BYTES = 1024 * 1024;

export function planShared(
  host: Host,
  input: SharedInput,
): { readonly plan: SharedPlan; readonly diagnostics: readonly Diagnostic[] } {
  const { agent, project } = input;
  const diagnostics: Diagnostic[] = [];
  const changes: SharedChange[] = [];
  for (const file of input.files) {
    const target = targetOf(host, project, file, input.applied);
    for (const name of file.paths) {
      const path = join(project, name);
      const records = input.applied.get(path) ?? [];
      if (path !== target && records.length === 0) continue;
      const planned = planFile(
        host,
        input,
        path === target ? file : emptied(file),
        { path, records },
      );
      for (const each of planned.diagnostics) diagnostics.push(each);
      if (planned.change !== null) changes.push(planned.change);
    }
  }
  return { plan: { agent, project, changes }, diagnostics };
}

/** Which of its names a file has here: one that we wrote to, one that is there, or the one to be made. */
export function targetOf(
  host: Host,
  project: string,
  { paths }: SharedFile,
  applied: ReadonlyMap<string, readonly Applied[]>,
): string {
  const all = paths.map((name) => join(project, name));
  const there = all.filter((path) => isThere(host.files, path));
  return (
    there.find((path) => (applied.get(path) ?? []).length > 0) ??
    there[0] ??
    all.at(-1) ??
    project
  );
}

const emptied = (file: SharedFile): SharedFile =>
  file.format === "toml"
    ? { ...file, tables: {} }
    : ({ ...file, fresh: [], members: [], items: [] } satisfies SharedJson);

function planFile(
  host: Host,
  { agent, project, decode }: SharedInput,
  wanted: SharedFile,
  {
    path,
    records,
  }: { readonly path: string; readonly records: readonly Applied[] },
): {
  readonly change: SharedChange | null;
  readonly diagnostics: readonly Diagnostic[];
} {
  const stop = (problem: Diagnostic) => ({
    change: null,
    diagnostics: [problem],
  });
  let text: string | null = null;
  let isReadOnly = false;
  try {
    const link = firstLink(host, project, path);
    if (link !== null) return stop(report("apply/link", { file: link }));
    const stat = host.files.lstat(path);
    if (stat !== null) {
      if (stat.kind !== "file")
        return stop(report("read/not-a-file", { file: path }));
      text = decode(host.files.read(path, MOST_BYTES));
      if (text === null) return stop(report("read/not-utf8", { file: path }));
      const others =
        host.uid !== null && host.uid !== 0 && stat.uid !== host.uid;
      isReadOnly = (stat.mode & (others ? 0o022 : 0o222)) === 0;
    }
  } catch (error) {
    return stop(
      (error as NodeJS.ErrnoException).code === "too-large"
        ? report("read/too-large", { file: path, limit: "1 MiB" })
        : notWritable(path, error),
    );
  }
  const edit =
    wanted.format === "json"
      ? editJson({ path, text, wanted, records })
      : editToml({ agent, path, text, wanted, records });
  if (hasErrors(edit.diagnostics))
    return { change: null, diagnostics: edit.diagnostics };
  const differs = edit.text !== text;
  if (differs && isReadOnly)
    return stop(
      report("write/not-writable", {
        file: path,
        reason: "its mode says that it is read-only",
      }),
    );
  if (text === null && edit.text === null && records.length === 0)
    return { change: null, diagnostics: edit.diagnostics };
  const folder = dirname(path);
  const made =
    records.find((r) => r.folder !== null)?.folder ??
    (folder !== project && !isThere(host.files, folder) ? folder : null);
  return {
    change: {
      path,
      change: !differs
        ? "same"
        : text === null
          ? "create"
          : edit.text === null
            ? "delete"
            : "update",
      before: text,
      text: edit.text,
      view: edit.view,
      records,
      record: edit.record === null ? null : { ...edit.record, folder: made },
      folder: made,
    },
    diagnostics: edit.diagnostics,
  };
}

/** The first part of a path below the project that is a link. */
function firstLink(host: Host, project: string, path: string): string | null {
  let at = project;
  for (const part of relative(project, path).split(sep)) {
    at = join(at, part);
    if (host.files.lstat(at)?.kind === "link") return at;
  }
  return null;
}
