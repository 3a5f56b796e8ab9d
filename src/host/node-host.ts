// The real host: Node's file system, environment, streams and the prompts of @inquirer/prompts.
import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  unlinkSync,
  writeSync,
  type Stats,
} from "node:fs";
import { Socket } from "node:net";
import { userInfo } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { openAppend, readAt } from "./append-file.ts";
import type { Files, FileStat, Host, Output, Prompts } from "./host.ts";
import { systemReason } from "./system-reason.ts";

const describe = (s: Stats): FileStat => ({
  kind: s.isFile()
    ? "file"
    : s.isDirectory()
      ? "folder"
      : s.isSymbolicLink()
        ? "link"
        : "other",
  mode: s.mode & 0o7777,
  uid: s.uid,
  size: s.size,
});

/** In the form of Node's own, which callers put into words. */
const coded = (code: string, path: string): Error =>
  Object.assign(new Error(`${code}: ${path}`), { code, path });

function readRegular(path: string, maxBytes: number): Uint8Array {
  // O_NONBLOCK: opening a pipe must not wait for its other end. O_NOFOLLOW and O_NONBLOCK are absent on Windows.
  const flags =
    constants.O_RDONLY |
    (constants.O_NOFOLLOW ?? 0) |
    (constants.O_NONBLOCK ?? 0);
  const fd = openSync(path, flags);
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) throw coded("not-a-file", path);
    if (stat.size > maxBytes) throw coded("too-large", path);
    const buffer = Buffer.allocUnsafe(maxBytes + 1);
    let length = 0;
    for (;;) {
      const n = readSync(fd, buffer, length, buffer.length - length, null);
      if (n === 0) break;
      length += n;
      if (length > maxBytes) throw coded("too-large", path);
    }
    return buffer.subarray(0, length);
  } finally {
    closeSync(fd);
  }
}

/** Longer than any write takes. */
const STALE = 10 * 60 * 1000;

/** What a write of ours left behind when it was killed. Untidy and no more, so a failure is no matter. */
function removeStale(folder: string): void {
  try {
    for (const name of readdirSync(folder)) {
      if (!/^\.fenzi-[0-9a-f]{12}\.tmp$/.test(name)) continue;
      const file = join(folder, name);
      const { mtimeMs, uid } = lstatSync(file);
      const ours = uid === (process.getuid?.() ?? uid);
      if (ours && Date.now() - mtimeMs > STALE) unlinkSync(file);
    }
  } catch {
    // Somebody else was faster, or the folder cannot be listed.
  }
}

function writeAtomic(
  path: string,
  text: string | Uint8Array,
  mode: number,
): void {
  const old = lstatOrNull(path);
  const keep = old?.kind === "file" ? old.mode : mode;
  const temporary = join(
    dirname(path),
    `.fenzi-${randomBytes(6).toString("hex")}.tmp`,
  );
  const fd = openSync(
    temporary,
    constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL,
    0o600,
  );
  try {
    try {
      const bytes = typeof text === "string" ? Buffer.from(text, "utf8") : text;
      for (let at = 0; at < bytes.length;)
        at += writeSync(fd, bytes, at, bytes.length - at);
      fchmodSync(fd, keep);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(temporary, path);
  } catch (error) {
    removeQuietly(temporary);
    throw error;
  }
  removeStale(dirname(path));
}

/** One by one: below `/proc`, Node's own recursive way never ends. */
function makeFolder(path: string, mode: number): void {
  const missing: string[] = [];
  let at = path;
  for (; statOrNull(at) === null && at !== dirname(at); at = dirname(at))
    missing.unshift(at);
  if (statOrNull(at)?.kind !== "folder")
    throw coded(at === path ? "EEXIST" : "ENOTDIR", at);
  for (const folder of missing)
    try {
      mkdirSync(folder, { mode });
    } catch (error) {
      // Another process may have made it just now.
      if (statOrNull(folder)?.kind !== "folder") throw error;
    }
}

const absent = (error: unknown): boolean => {
  const code = (error as NodeJS.ErrnoException).code;
  return code === "ENOENT" || code === "ENOTDIR";
};

/** Without an error for what is absent: making one takes longer than looking. */
function ifThere(look: () => Stats | undefined): FileStat | null {
  try {
    const found = look();
    return found === undefined ? null : describe(found);
  } catch (error) {
    if (absent(error)) return null;
    throw error;
  }
}

const QUIET = { throwIfNoEntry: false } as const;
const lstatOrNull = (path: string) => ifThere(() => lstatSync(path, QUIET));
const statOrNull = (path: string) => ifThere(() => statSync(path, QUIET));

function removeQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (!absent(error)) throw error;
  }
}

const files: Files = {
  lstat: lstatOrNull,
  stat: statOrNull,
  realpath: (path) => realpathSync.native(path),
  list: (folder) => readdirSync(folder).sort(),
  // Loaded only for a pattern, which few command lines have.
  async glob(pattern, folder) {
    const { default: glob } = await import("fast-glob");
    const found = await glob(pattern, {
      cwd: folder,
      absolute: true,
      dot: true,
    });
    return found.sort();
  },
  read: readRegular,
  writeAtomic,
  makeFolder,
  createExclusive(path, text) {
    try {
      const fd = openSync(path, "wx", 0o600);
      try {
        writeSync(fd, text);
      } finally {
        closeSync(fd);
      }
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
      throw error;
    }
  },
  remove: removeQuietly,
  removeEmpty(folder) {
    try {
      rmdirSync(folder);
    } catch (error) {
      const { code = "" } = error as NodeJS.ErrnoException;
      if (!absent(error) && code !== "ENOTEMPTY" && code !== "EEXIST")
        throw error;
    }
  },
  removeTree(path) {
    rmSync(path, { recursive: true, force: true });
  },
  openAppend,
  readAt,
};

/** A stream of the process, opened when it is first used: opening all three costs more than many a command. */
function output(name: "stdout" | "stderr", failed: () => void): Output {
  let opened: NodeJS.WriteStream | null = null;
  let gone = false;
  const stream = () => {
    if (opened !== null) return opened;
    opened = process[name];
    let told = false;
    opened.on("error", ({ code = "" }: NodeJS.ErrnoException) => {
      gone = true;
      // A reader that has gone away (`| head`) is no failure of ours: what is left is dropped.
      if (told || code === "EPIPE") return;
      told = true;
      failed();
      if (name === "stdout")
        process.stderr.write(
          `error: standard output cannot be written: ${systemReason(code)}\n`,
        );
    });
    return opened;
  };
  return {
    write: (text) => void stream().write(text),
    get isTTY() {
      return stream().isTTY === true;
    },
    get columns() {
      return stream().columns ?? 80;
    },
    isGone: () => gone,
  };
}

/**
 * Node writes to a pipe that is its standard output and waits until it is read: a program that has two sides to listen to
 * would hear neither meanwhile.
 */
function pipes(): { readonly input: Readable; readonly output: Writable } {
  const kind = fstatSync(1);
  return {
    input: process.stdin,
    output:
      kind.isFIFO() || kind.isSocket()
        ? new Socket({ fd: 1, readable: false, writable: true })
        : process.stdout,
  };
}

// The prompts are loaded only when a question is asked: they cost more than the rest of the program together.
// Results go to standard output, which may lead into a file.
const onStderr = () => ({ output: process.stderr });
const prompts: Prompts = {
  async confirm(message) {
    const { confirm } = await import("@inquirer/prompts");
    return confirm({ message, default: false }, onStderr());
  },
  async password(message) {
    const { password } = await import("@inquirer/prompts");
    return password({ message, mask: false }, onStderr());
  },
  async choose(message, choices) {
    const { checkbox } = await import("@inquirer/prompts");
    return checkbox(
      { message, choices: choices.map((c) => ({ ...c })), pageSize: 15 },
      onStderr(),
    );
  },
};

/**
 * The current folder. Node puts a mark for each byte that is not UTF-8: a path with such marks leads nowhere, or to
 * another folder, whose files are not those that count here.
 */
function currentFolder(): string {
  const cwd = process.cwd();
  if (!cwd.includes("\ufffd")) return cwd;
  const [here, named] = [".", cwd].map((path) =>
    statSync(path, { throwIfNoEntry: false }),
  );
  if (here?.ino !== named?.ino || here?.dev !== named?.dev)
    throw coded("EILSEQ", cwd);
  return cwd;
}

/** A `HOME` that is empty or relative would be a folder of the project. */
function homeFolder(): string {
  const home = process.env["HOME"] ?? "";
  if (isAbsolute(home)) return home;
  let known = "";
  try {
    known = userInfo().homedir;
  } catch {
    // A user without an entry, as in many a container.
  }
  if (!isAbsolute(known)) throw coded("no-home", "~");
  return known;
}

/** `outputFailed` is called when a stream takes no more words, as on a full disk. */
export function nodeHost(outputFailed: () => void = () => {}): Host {
  return {
    // Asked for when needed: help needs neither, and both can fail.
    get cwd() {
      return currentFolder();
    },
    get home() {
      return homeFolder();
    },
    env: process.env,
    platform: process.platform,
    uid: process.getuid?.() ?? null,
    pid: process.pid,
    files,
    stdin: {
      get isTTY() {
        return process.stdin.isTTY === true;
      },
      async readAll() {
        const chunks: Buffer[] = [];
        for await (const chunk of process.stdin)
          chunks.push(Buffer.from(chunk));
        return Buffer.concat(chunks).toString("utf8");
      },
    },
    pipes,
    stdout: output("stdout", outputFailed),
    stderr: output("stderr", outputFailed),
    prompts,
    processLives(pid) {
      try {
        process.kill(pid, 0);
        return true;
      } catch (error) {
        return (error as NodeJS.ErrnoException).code === "EPERM";
      }
    },
    async sleep(milliseconds, signal) {
      await wait(milliseconds, undefined, signal ? { signal } : {}).catch(
        (error: unknown) => {
          if (signal?.aborted !== true) throw error;
        },
      );
    },
    onSignal(listen) {
      const names = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
      for (const name of names) process.on(name, listen);
      return () => {
        for (const name of names) process.off(name, listen);
      };
    },
    now: () => Date.now(),
  };
}
