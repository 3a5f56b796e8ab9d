// Small JSON files of the state folder, each a mapping from a real path to what is known of it.
import { join } from "node:path";
import { report } from "../diagnostics/catalog.ts";
import type { Diagnostic, Result } from "../diagnostics/diagnostic.ts";
import type { Host } from "../host/host.ts";
import { systemReason } from "../host/system-reason.ts";
import { withLock } from "./lock.ts";

const MOST_BYTES = 8 * 1024 * 1024;

/** Reads `NAME.json`. An absent file is an empty mapping; one that is not ours is an error, never empty. */
export function readState<T>(
  host: Host,
  folder: string,
  name: string,
  isEntry: (value: unknown) => value is T,
): Result<ReadonlyMap<string, T>> {
  const file = join(folder, `${name}.json`);
  const stop = (problem: Diagnostic): Result<ReadonlyMap<string, T>> => ({
    value: null,
    diagnostics: [problem],
  });
  const bad = (reason: string) =>
    stop(report("state/not-ours", { file, reason }));
  let parsed: unknown;
  try {
    if (host.files.lstat(file) === null)
      return { value: new Map(), diagnostics: [] };
    const bytes = host.files.read(file, MOST_BYTES);
    parsed = JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === undefined
      ? bad("cannot be read as JSON")
      : stop(report("read/not-readable", { file, reason: systemReason(code) }));
  }
  const entries = (parsed as { entries?: unknown } | null)?.entries;
  if (typeof entries !== "object" || entries === null)
    return bad("does not hold what fenzi writes there");
  const map = new Map<string, T>();
  for (const [key, value] of Object.entries(entries)) {
    if (!isEntry(value)) return bad("does not hold what fenzi writes there");
    map.set(key, value);
  }
  return { value: map, diagnostics: [] };
}

/** Changes `NAME.json` under a lock, reading it afresh. `change` returns null when there is nothing to do. */
export async function changeState<T>(
  host: Host,
  folder: string,
  name: string,
  isEntry: (value: unknown) => value is T,
  change: (old: ReadonlyMap<string, T>) => ReadonlyMap<string, T> | null,
): Promise<Result<true>> {
  const file = join(folder, `${name}.json`);
  try {
    return await withLock(host, join(folder, `${name}.lock`), () => {
      const old = readState(host, folder, name, isEntry);
      if (old.value === null)
        return { value: null, diagnostics: old.diagnostics };
      const next = change(old.value);
      if (next !== null) host.files.writeAtomic(file, printed(next), 0o600);
      return { value: true, diagnostics: [] };
    });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    return {
      value: null,
      diagnostics: [
        report("write/not-writable", { file, reason: systemReason(code) }),
      ],
    };
  }
}

const printed = (entries: ReadonlyMap<string, unknown>): string =>
  `${JSON.stringify(
    {
      formatVersion: 1,
      entries: Object.fromEntries(
        [...entries].sort(([a], [b]) => (a < b ? -1 : 1)),
      ),
    },
    null,
    2,
  )}\n`;
