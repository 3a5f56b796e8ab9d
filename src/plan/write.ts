// Carries out a plan: each file whole, old or new, at every moment; nothing is overwritten that changed since it was read.
import { dirname } from "node:path";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { Host } from "../host/host.ts";
import { notWritable, readWhole, type Change, type Plan } from "./plan.ts";

export type Written = "written" | "changed-meanwhile" | Diagnostic;

/** Writes a plan's files (mode 0600) and folders (0700). Stops at the first file that is not as it was planned from. */
export function writePlan(host: Host, plan: Plan): Written {
  try {
    host.files.makeFolder(plan.folder, 0o700);
    for (const folder of plan.folders) host.files.makeFolder(folder, 0o700);
  } catch (error) {
    return notWritable(plan.folder, error);
  }
  for (const change of plan.changes) {
    if (change.change === "same") continue;
    const result = writeChange(host, change);
    if (result !== "written") return result;
  }
  return "written";
}

/** Writes one change. `mode` is for a file that is new; an existing one keeps its own. */
export function writeChange(
  host: Host,
  change: Pick<Change, "path" | "before" | "text">,
  mode = 0o600,
): Written {
  try {
    const now =
      host.files.lstat(change.path) === null
        ? null
        : readWhole(host, change.path);
    if (now !== change.before) return "changed-meanwhile";
    if (change.text === null) host.files.remove(change.path);
    else {
      host.files.makeFolder(dirname(change.path), 0o700);
      host.files.writeAtomic(change.path, change.text, mode);
    }
    return "written";
  } catch (error) {
    return notWritable(change.path, error);
  }
}
