// Writes the agents' own files of a project together: all of them, or none.
import { dirname } from "node:path";
import { report } from "../diagnostics/catalog.ts";
import type { Host } from "../host/host.ts";
import { notWritable, readWhole } from "./plan.ts";
import type { SharedChange } from "./plan-shared.ts";
import type { Written } from "./write.ts";

/** Whatever the files of a project are to others, so are these. */
const FILE_MODE = 0o644;
const FOLDER_MODE = 0o755;

/** Nothing is written unless every file is as it was planned from. What was written before a failure is put back. */
export function writeShared(
  host: Host,
  changes: readonly SharedChange[],
): Written {
  const differing = changes.filter((c) => c.change !== "same");
  const done: SharedChange[] = [];
  for (const change of differing) {
    const now = present(host, change);
    if (now === "unreadable" || now.text !== change.before)
      return "changed-meanwhile";
  }
  for (const change of differing) {
    try {
      const now = present(host, change);
      if (now === "unreadable" || now.text !== change.before)
        return putBack(host, done, change.path) ?? "changed-meanwhile";
      put(host, change, change.text);
      done.push(change);
    } catch (error) {
      return (
        putBack(host, done, change.path) ?? notWritable(change.path, error)
      );
    }
  }
  for (const { folder, text } of differing)
    if (text === null && folder !== null) removeEmpty(host, folder);
  return "written";
}

function put(host: Host, { path }: SharedChange, text: string | null): void {
  if (text === null) return host.files.remove(path);
  host.files.makeFolder(dirname(path), FOLDER_MODE);
  host.files.writeAtomic(path, text, FILE_MODE);
}

function present(
  host: Host,
  { path }: SharedChange,
): { readonly text: string | null } | "unreadable" {
  try {
    const stat = host.files.lstat(path);
    return { text: stat === null ? null : readWhole(host, path) };
  } catch {
    return "unreadable";
  }
}

/** Untidy and no more, so a failure is no matter. */
function removeEmpty(host: Host, folder: string): void {
  try {
    host.files.removeEmpty(folder);
  } catch {
    // Somebody took away the right to.
  }
}

/** Null when everything is as it was. A file that somebody has written since stays as they wrote it. */
function putBack(
  host: Host,
  done: readonly SharedChange[],
  failed: string,
): Exclude<Written, string> | null {
  const left: string[] = [];
  for (const change of done.toReversed()) {
    const now = present(host, change);
    if (now === "unreadable" || now.text !== change.text) {
      left.push(change.path);
      continue;
    }
    try {
      put(host, change, change.before);
      if (change.before === null && change.folder !== null)
        removeEmpty(host, change.folder);
    } catch {
      left.push(change.path);
    }
  }
  return left.length === 0
    ? null
    : report("apply/half-written", {
        written: left.map((path) => `\`${path}\``).join(", "),
        failed: `\`${failed}\``,
      });
}
