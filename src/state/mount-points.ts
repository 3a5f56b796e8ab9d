// Files and folders that are made only so that something can be mounted over them, and who needs them. They are taken
// away when nobody does any more, and only when nothing else was put there; after a crash the next one does that.
import { dirname } from "node:path";
import type { Result } from "../diagnostics/diagnostic.ts";
import type { Host } from "../host/host.ts";
import { changeState } from "./state-file.ts";

export interface MountPoint {
  readonly path: string;
  readonly kind: "file" | "folder";
  /** What a file has in it. */
  readonly text: string;
}

interface Made extends MountPoint {
  /** Processes that need it. */
  readonly holders: readonly number[];
}

const isMade = (value: unknown): value is Made => {
  const made = value as Partial<Made> | null;
  return (
    typeof made?.path === "string" &&
    (made.kind === "file" || made.kind === "folder") &&
    typeof made.text === "string" &&
    Array.isArray(made.holders) &&
    made.holders.every((pid) => Number.isInteger(pid))
  );
};

/** Makes what is missing, and holds what another process of ours has made. Outer ones first; others' are left alone. */
export const holdMountPoints = (
  host: Host,
  folder: string,
  points: readonly MountPoint[],
): Promise<Result<true>> =>
  changeState(host, folder, "mount-points", isMade, (old) => {
    const now = new Map(swept(host, old));
    for (const point of points) {
      const known = now.get(point.path);
      if (known === undefined && host.files.lstat(point.path) !== null)
        continue;
      if (known === undefined) make(host, point);
      now.set(point.path, {
        ...point,
        holders: [...(known?.holders ?? []), host.pid],
      });
    }
    return now;
  });

/** Takes away what only this process needed. */
export const releaseMountPoints = (
  host: Host,
  folder: string,
): Promise<Result<true>> =>
  changeState(host, folder, "mount-points", isMade, (old) =>
    swept(host, old, host.pid),
  );

function make(host: Host, { path, kind, text }: MountPoint): void {
  if (kind === "folder") host.files.makeFolder(path, 0o755);
  else host.files.createExclusive(path, text);
}

/** Without what nobody holds any more, which is removed, inner ones first. */
function swept(
  host: Host,
  old: ReadonlyMap<string, Made>,
  leaving: number | null = null,
): ReadonlyMap<string, Made> {
  const now = new Map<string, Made>();
  const inner = [...old].sort(([a], [b]) => (a < b ? 1 : -1));
  for (const [path, made] of inner) {
    const holders = made.holders.filter(
      (pid) => pid !== leaving && host.processLives(pid),
    );
    if (holders.length > 0) now.set(path, { ...made, holders });
    else removeOurs(host, made);
  }
  return now;
}

function removeOurs(host: Host, { path, kind, text }: MountPoint): void {
  try {
    if (host.files.realpath(dirname(path)) !== dirname(path)) return;
    const found = host.files.lstat(path);
    if (found === null || found.kind !== kind) return;
    if (kind === "folder" && host.files.list(path).length === 0)
      host.files.removeTree(path);
    if (
      kind === "file" &&
      found.size === Buffer.byteLength(text) &&
      new TextDecoder().decode(host.files.read(path, 4096)) === text
    )
      host.files.remove(path);
  } catch {
    // What cannot be looked at is left where it is.
  }
}
