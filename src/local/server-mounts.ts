// What an isolated server may see of this machine's files: the folders of its rules, what is in them that it must not
// change, and what it must not see.
import { join } from "node:path";
import { report } from "../diagnostics/catalog.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { Mounts } from "./isolated.ts";
import { isWithin, mountFolders } from "./mount-folders.ts";
import { PROTECTED, PROTECTED_GIT } from "./protected-paths.ts";
import type { FileStat, Host } from "../host/host.ts";
import { isOuterLayer } from "../match/outer-layer.ts";
import type { Model, Server } from "../model/model.ts";
import { privateMatcher } from "../policy/private-list.ts";
import type { MountPoint } from "../state/mount-points.ts";

/** Files and folders that are looked at. */
const MOST_ENTRIES = 100_000;
/** What is hidden, one by one. */
const MOST_HIDDEN = 1_000;

export function serverMounts(
  host: Host,
  model: Model,
  server: Server,
  cwd: string,
):
  | { readonly mounts: Mounts; readonly points: readonly MountPoint[] }
  | { readonly problem: Diagnostic } {
  const stop = (path: string, reason: string) => ({
    problem: report(
      "isolation/path",
      { name: server.name, path, reason },
      { at: server.origin.at },
    ),
  });
  const { read, write } = mountFolders(server.paths, model.own.home);
  for (const path of [...read, ...write])
    if (isThere(host, path) && host.files.realpath(path) !== path)
      return stop(
        path,
        "it is a link, or lies behind one; name what it leads to",
      );
  const own =
    server.transport.kind === "stdio" &&
    server.transport.cwd === "default" &&
    isOuterLayer(server.origin.layer);
  // A folder that the rules do not name is there to start in, and empty.
  const all = {
    read,
    write: own ? [...write, cwd] : write,
  };

  const writable = (path: string) =>
    all.write.some((folder) => isWithin(path, folder));
  const shut: string[] = [];
  const held: string[] = [];
  const points: MountPoint[] = [];
  const places = new Set(
    [model.project, model.repository].map((path) => host.files.realpath(path)),
  );
  for (const place of places) {
    const git = host.files.lstat(join(place, ".git"))?.kind;
    if (git === "file" && writable(join(place, ".git")))
      shut.push(join(place, ".git"));
    for (const each of [
      ...PROTECTED,
      ...(git === "folder" ? PROTECTED_GIT : []),
    ]) {
      const path = join(place, each.path);
      if (!writable(path)) continue;
      const parent = join(path, "..");
      if (parent !== place && !held.includes(parent)) {
        const found = host.files.lstat(parent);
        if (found?.kind === "link") return stop(parent, LINK);
        points.push({ path: parent, kind: "folder", text: "" });
        held.push(parent);
      }
      if (host.files.lstat(path)?.kind === "link") return stop(path, LINK);
      if (each.empty !== null)
        points.push({ path, kind: each.kind, text: each.empty });
      else if (!isThere(host, path)) continue;
      shut.push(path);
    }
  }
  const hidden = hiddenIn(host, model, [...all.read, ...all.write]);
  if (hidden === null)
    return stop(
      all.write[0] ?? cwd,
      "it has too many files to look through; name narrower folders under `paths`",
    );
  return { mounts: { ...all, shut, held, hidden }, points };
}

const LINK =
  "it is a link, which a server that may write beside it can replace; put what it leads to in its place";

const isThere = (host: Host, path: string): boolean =>
  host.files.lstat(path) !== null;

/** What the rules call private, below these folders; null when there is too much to look at. `.git` stays readable. */
function hiddenIn(
  host: Host,
  model: Model,
  folders: readonly string[],
): Mounts["hidden"] | null {
  const isPrivate = privateMatcher(model);
  const hidden = new Map<string, "file" | "folder">();
  const seen = new Set<string>();
  let left = MOST_ENTRIES;
  const look = (path: string, name: string, stat: FileStat | null): boolean => {
    if (stat === null || seen.has(path) || name === ".git") return true;
    seen.add(path);
    if (--left < 0) return false;
    if (stat.kind !== "file" && stat.kind !== "folder") return true;
    if (name !== "" && isPrivate(path) !== null) {
      hidden.set(path, stat.kind);
      return hidden.size <= MOST_HIDDEN;
    }
    if (stat.kind === "file" || name === "node_modules") return true;
    return entries(host, path).every((each) => {
      const inner = join(path, each);
      return look(inner, each, host.files.lstat(inner));
    });
  };
  // Outer ones first; what a rule names itself is meant.
  const whole = [...new Set(folders)]
    .sort()
    .every((path) => look(path, "", host.files.lstat(path)));
  return whole ? [...hidden].map(([path, kind]) => ({ path, kind })) : null;
}

/** Nothing in a folder that cannot be looked into: then the server cannot either. */
function entries(host: Host, folder: string): readonly string[] {
  try {
    return host.files.list(folder);
  } catch {
    return [];
  }
}
