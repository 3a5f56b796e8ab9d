// Which project files a person has looked at: real path and SHA-256 of the bytes.
import type { Result } from "../diagnostics/diagnostic.ts";
import type { Host } from "../host/host.ts";
import { changeState, readState } from "./state-file.ts";

export interface TrustedFile {
  /** Real path. */
  readonly file: string;
  readonly hash: string;
}

const isHash = (value: unknown): value is string =>
  typeof value === "string" && /^[0-9a-f]{64}$/.test(value);

/** The trusted hash of every file, by real path. */
export const readTrust = (
  host: Host,
  folder: string,
): Result<ReadonlyMap<string, string>> =>
  readState(host, folder, "trust", isHash);

/** Trusts these bytes of these files, and no earlier ones. */
export const addTrust = (
  host: Host,
  folder: string,
  files: readonly TrustedFile[],
): Promise<Result<true>> =>
  changeState(host, folder, "trust", isHash, (old) =>
    files.every((f) => old.get(f.file) === f.hash)
      ? null
      : new Map([...old, ...files.map((f) => [f.file, f.hash] as const)]),
  );
