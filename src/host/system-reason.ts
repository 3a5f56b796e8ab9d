// Codes of the operating system in words.

const REASONS: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EPERM: "not permitted",
  ENOENT: "there is no such file or folder",
  "no-home":
    "`HOME` is no absolute path, and the system knows no other home folder",
  "too-large": "it is too large",
  "not-a-file": "it is not a file",
  EILSEQ: "its name is not valid UTF-8",
  ENAMETOOLONG: "the path is too long",
  EIO: "the device failed",
  ENOTDIR: "a part of the path is not a folder",
  ELOOP: "links point in a circle",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full",
  EEXIST: "something else is in the way",
  EISDIR: "it is a folder",
  EBUSY: "it is in use",
  EADDRINUSE: "another program listens there",
  EADDRNOTAVAIL: "this machine has no such address",
  EMFILE: "too many files are open",
};

/** A system error's code in words. */
export const systemReason = (code: string): string =>
  REASONS[code] ?? (code === "" ? "the system does not say why" : code);
