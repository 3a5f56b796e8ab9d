// What `fenzi apply` put into agents' own files, by the real path of the file. Newest first: there are several only while
// a write is under way, or was cut short.
import type { Result } from "../diagnostics/diagnostic.ts";
import type { Host } from "../host/host.ts";
import type { Applied } from "../model/applied.ts";
import { changeState, readState } from "./state-file.ts";

export type AppliedFiles = ReadonlyMap<string, readonly Applied[]>;

const isText = (value: unknown): value is string => typeof value === "string";

const isPath = (value: unknown): boolean =>
  Array.isArray(value) && value.every(isText);

const isListOf = (value: unknown, test: (item: never) => boolean): boolean =>
  Array.isArray(value) && value.every((item) => test(item as never));

const isApplied = (value: unknown): boolean => {
  if (typeof value !== "object" || value === null) return false;
  const { before, after, pieces, members, items, made, folder } =
    value as Record<keyof Applied, unknown>;
  return (
    (before === null || isText(before)) &&
    isText(after) &&
    (folder === null || isText(folder)) &&
    isListOf(
      pieces,
      (p: { at?: unknown; text?: unknown } | null) =>
        Number.isInteger(p?.at) && isText(p?.text),
    ) &&
    isListOf(members, (m: { at?: unknown } | null) => isPath(m?.at)) &&
    isListOf(
      items,
      (i: { at?: unknown; item?: unknown } | null) =>
        isPath(i?.at) && isText(i?.item),
    ) &&
    isListOf(made, isPath)
  );
};

const isEntry = (value: unknown): value is readonly Applied[] =>
  Array.isArray(value) && value.every(isApplied);

export const readApplied = (host: Host, folder: string): Result<AppliedFiles> =>
  readState(host, folder, "applied", isEntry);

/** Notes what is ours in these files; an empty list forgets a file. */
export const noteApplied = (
  host: Host,
  folder: string,
  files: AppliedFiles,
): Promise<Result<true>> =>
  changeState(host, folder, "applied", isEntry, (old) => {
    const next = new Map([...old, ...files]);
    for (const [file, records] of files)
      if (records.length === 0) next.delete(file);
    return JSON.stringify([...next]) === JSON.stringify([...old]) ? null : next;
  });
