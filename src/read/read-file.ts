// Reads one configuration file: a regular file of at most 1 MiB, UTF-8, reached by no link that leaves its folder.
import { basename, dirname, join } from "node:path";
import { report } from "../diagnostics/catalog.ts";
import type { Diagnostic, Result } from "../diagnostics/diagnostic.ts";
import type { Host } from "../host/host.ts";
import { isInside } from "../host/real-path.ts";
import { systemReason } from "../host/system-reason.ts";
import { decodeUtf8 } from "./decode-utf8.ts";
import { sha256 } from "../sha256.ts";

export const MOST_BYTES = 1024 * 1024;

export interface FileText {
  /** As given. */
  readonly file: string;
  /** The file's real path. */
  readonly real: string;
  readonly text: string;
  /**
   * What trust is given to: lower-case hex SHA-256 of the bytes. With files beside it that say more, `hashTogether` of
   * them all.
   */
  readonly hash: string;
}

/** One hash for several files: of one its own, else the SHA-256 of their hashes, each followed by a line feed. */
export const hashTogether = (hashes: readonly string[]): string =>
  hashes.length === 1
    ? (hashes[0] ?? "")
    : sha256(hashes.map((hash) => `${hash}\n`).join(""));

/**
 * `guarded`: an error when somebody else may write the file or its folder. `instead`: the text that counts in the place
 * of the file's own; then the file, and even its folder, need not be there yet.
 */
export function readFile(
  host: Host,
  file: string,
  guarded: boolean,
  instead: string | null = null,
): Result<FileText> {
  const place = { file, start: START, end: START };
  const fail = (...diagnostics: readonly Diagnostic[]): Result<FileText> => ({
    value: null,
    diagnostics,
  });
  const given = (real: string): Result<FileText> => {
    const text = instead ?? "";
    const bytes = new TextEncoder().encode(text);
    if (bytes.length > MOST_BYTES)
      return fail(readProblem(file, { code: "too-large" }, place));
    const hash = sha256(bytes);
    return { value: { file, real, text, hash }, diagnostics: [] };
  };
  try {
    if (instead !== null && host.files.stat(dirname(file)) === null)
      return given(file);
    const folder = host.files.realpath(dirname(file));
    const lstat = host.files.lstat(join(folder, basename(file)));
    let real = join(folder, basename(file));
    if (lstat?.kind === "link") {
      real = host.files.realpath(real);
      if (!isInside(folder, real))
        return fail(
          report(
            "read/link-leaves-folder",
            { file, target: real },
            { at: place },
          ),
        );
    }
    if (guarded) {
      const loose = [folder, real].find((path) => othersMayWrite(host, path));
      if (loose !== undefined)
        return fail(
          report(
            "read/others-may-write",
            { file: loose },
            { at: place, help: `run \`chmod go-w '${loose}'\`` },
          ),
        );
    }
    if (instead !== null) return given(real);
    const bytes = host.files.read(real, MOST_BYTES);
    const hash = sha256(bytes);
    const text = decodeUtf8(bytes);
    if (typeof text !== "string") {
      const at = { file, start: text, end: text };
      return fail(report("read/not-utf8", { file }, { at }));
    }
    return { value: { file, real, text, hash }, diagnostics: [] };
  } catch (error) {
    return fail(readProblem(file, error, place));
  }
}

const START = { line: 1, column: 1, offset: 0 };

/** Owned by somebody else than root and the user, or writable by group or all. */
function othersMayWrite(host: Host, path: string): boolean {
  const stat = host.files.stat(path);
  if (stat === null || host.uid === null) return false;
  return (stat.uid !== host.uid && stat.uid !== 0) || (stat.mode & 0o022) !== 0;
}

/** Why a file could not be read. */
export function readProblem(
  file: string,
  error: unknown,
  at: Diagnostic["at"],
  limit = "1 MiB",
): Diagnostic {
  const code = (error as NodeJS.ErrnoException).code ?? "unknown";
  if (code === "not-a-file" || code === "EISDIR" || code === "ENXIO")
    return report("read/not-a-file", { file }, { at });
  if (code === "too-large")
    return report("read/too-large", { file, limit }, { at });
  return report(
    "read/not-readable",
    { file, reason: systemReason(code) },
    { at },
  );
}
