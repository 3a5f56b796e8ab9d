// Where a program is found on this machine: in no folder of `PATH` that a repository can write to. Nothing is started here.
import { delimiter, isAbsolute, join, resolve } from "node:path";
import { isInside, realPath } from "../host/real-path.ts";
import type { Host } from "../host/host.ts";
import { systemReason } from "../host/system-reason.ts";
import type { Model } from "../model/model.ts";

/**
 * `PATH` without folders that a repository can write to, or that are others in another folder. One that is not there could
 * be made by a repository later, behind a link.
 */
export function safePath(host: Host, model: Model): string {
  const repository = realPath(host.files, model.repository);
  return (host.env["PATH"] ?? "")
    .split(delimiter)
    .filter((folder) => {
      if (!isAbsolute(folder)) return false;
      try {
        return !isInside(repository, host.files.realpath(folder));
      } catch {
        return false;
      }
    })
    .join(delimiter);
}

export function findProgram(
  host: Host,
  wanted: {
    readonly program: string;
    readonly path: string;
    readonly from: string | null;
  },
):
  | { readonly path: string }
  | { readonly reason: string; readonly help: string | null } {
  const { program, path, from } = wanted;
  if (/[\\/]/.test(program)) {
    if (from === null && !isAbsolute(program))
      return {
        reason: "for a server of the machine its path must be absolute",
        help: null,
      };
    const whole = resolve(from ?? "/", program);
    const reason = whyNot(host, whole);
    return reason === null ? { path: whole } : { reason, help: null };
  }
  let reason = "no folder of `PATH` has it";
  for (const folder of path.split(delimiter)) {
    if (folder === "") continue;
    for (const name of names(host, program)) {
      const whole = join(folder, name);
      const why = whyNot(host, whole);
      if (why === null) return { path: whole };
      if (why !== systemReason("ENOENT")) reason = why;
    }
  }
  const skipped = (host.env["PATH"] ?? "")
    .split(delimiter)
    .find(
      (folder) =>
        !path.split(delimiter).includes(folder) &&
        whyNot(host, join(resolve(host.cwd, folder), program)) === null,
    );
  return {
    reason,
    help:
      skipped === undefined
        ? null
        : "one lies in a folder of the project, where none is looked for; write its whole path",
  };
}

const names = (host: Host, program: string): readonly string[] =>
  host.platform === "win32" && !/\.[a-z]{2,4}$/i.test(program)
    ? [`${program}.exe`, `${program}.com`]
    : [program];

/** Why a file is no program, or null. */
function whyNot(host: Host, path: string): string | null {
  try {
    const stat = host.files.stat(path);
    if (stat === null) return systemReason("ENOENT");
    if (stat.kind !== "file")
      return systemReason(stat.kind === "folder" ? "EISDIR" : "not-a-file");
    return host.platform !== "win32" && (stat.mode & 0o111) === 0
      ? "it is not executable"
      : null;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    return systemReason(code);
  }
}
