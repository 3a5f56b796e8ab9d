// The list of compiled folders and of the files Fenzi put into each.
import type { Result } from "../diagnostics/diagnostic.ts";
import type { Host } from "../host/host.ts";
import { changeState, readState } from "./state-file.ts";

const isList = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((v) => typeof v === "string");

/** Files (relative, POSIX) by compiled folder (real path). */
export const readCompiled = (
  host: Host,
  folder: string,
): Result<ReadonlyMap<string, readonly string[]>> =>
  readState(host, folder, "compiled", isList);

/** Notes what lies in these compiled folders now. */
export const noteCompiled = (
  host: Host,
  folder: string,
  folders: ReadonlyMap<string, readonly string[]>,
): Promise<Result<true>> =>
  changeState(host, folder, "compiled", isList, (old) =>
    [...folders].every(
      ([path, files]) =>
        JSON.stringify(old.get(path)) === JSON.stringify(files),
    )
      ? null
      : new Map([...old, ...folders]),
  );
