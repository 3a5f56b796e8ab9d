// Files that are only added to, and reading them piece by piece: the part of the real host that a log needs.
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readSync,
  writeSync,
} from "node:fs";
import type { AppendFile } from "./host.ts";

/** Absent on Windows. */
const NO_FOLLOW = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

const coded = (code: string, path: string): Error =>
  Object.assign(new Error(`${code}: ${path}`), { code });

export function openAppend(path: string, mode: number): AppendFile {
  const fd = openSync(
    path,
    constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | NO_FOLLOW,
    mode,
  );
  if (!fstatSync(fd).isFile()) {
    closeSync(fd);
    throw coded("not-a-file", path);
  }
  return {
    append(text) {
      // With O_APPEND one write is one piece, however many processes add to the file. A full disk cuts it short.
      if (writeSync(fd, text) !== Buffer.byteLength(text))
        throw coded("ENOSPC", path);
    },
    stat() {
      const { size, nlink } = fstatSync(fd);
      return { size, isThere: nlink > 0 };
    },
    close: () => closeSync(fd),
  };
}

export function readAt(
  path: string,
  offset: number,
  maxBytes: number,
): Uint8Array {
  const fd = openSync(path, constants.O_RDONLY | NO_FOLLOW);
  try {
    if (!fstatSync(fd).isFile()) throw coded("not-a-file", path);
    const buffer = Buffer.allocUnsafe(maxBytes);
    return buffer.subarray(0, readSync(fd, buffer, 0, maxBytes, offset));
  } finally {
    closeSync(fd);
  }
}
