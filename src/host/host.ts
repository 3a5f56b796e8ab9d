// Everything of the outside world that Fenzi touches, as an interface: files, environment, clock, streams, prompts.
// `node-host.ts` is the real one; tests make one with their own streams, folders and environment.
import type { Readable, Writable } from "node:stream";

export interface Output {
  write(text: string): void;
  readonly isTTY: boolean;
  /** Columns of the terminal, or 80. */
  readonly columns: number;
  /** Whether its reader has gone away. Absent where it cannot. */
  isGone?(): boolean;
}

export interface FileStat {
  readonly kind: "file" | "folder" | "link" | "other";
  readonly mode: number;
  readonly uid: number;
  readonly size: number;
}

/** A file that is only ever added to, by one process or by several at once. */
export interface AppendFile {
  /** One write at the end of the file, whole or an error. */
  append(text: string): void;
  /** Bytes in the file, and whether it still has a name in its folder. */
  stat(): { readonly size: number; readonly isThere: boolean };
  close(): void;
}

/** Files. Every function throws Node's error (with `code`) unless it says otherwise. Paths are absolute. */
export interface Files {
  /** Follows no link. Null when there is nothing. */
  lstat(path: string): FileStat | null;
  /** Follows links. Null when there is nothing. */
  stat(path: string): FileStat | null;
  realpath(path: string): string;
  list(folder: string): readonly string[];
  /** The files that a pattern such as `configs/*.json` means, absolute and sorted. */
  glob(pattern: string, folder: string): Promise<readonly string[]>;
  /** Reads a regular file without following a link at its end; `too-large` and `not-a-file` are error codes of ours. */
  read(path: string, maxBytes: number): Uint8Array;
  /** Temporary file beside it, fsync, rename. Keeps the mode of an existing file; otherwise takes `mode`. */
  writeAtomic(path: string, text: string | Uint8Array, mode: number): void;
  /** Makes the folder and its parents; new ones get `mode`. */
  makeFolder(path: string, mode: number): void;
  /** Creates a file that must not exist (O_EXCL). False when it exists. */
  createExclusive(path: string, text: string): boolean;
  /** Removes one file; fine when it is gone. */
  remove(path: string): void;
  /** Removes a folder that has nothing in it; otherwise leaves it. */
  removeEmpty(folder: string): void;
  /** Removes a folder with all that is in it, following no link; fine when it is gone. */
  removeTree(path: string): void;
  /** Opens a regular file for adding to it, and makes it when there is none. Follows no link at its end. */
  openAppend(path: string, mode: number): AppendFile;
  /** At most so many bytes of a regular file from an offset on; none at its end. Follows no link at its end. */
  readAt(path: string, offset: number, maxBytes: number): Uint8Array;
}

export interface Prompts {
  confirm(message: string): Promise<boolean>;
  /** Hidden input. */
  password(message: string): Promise<string>;
  /** Returns the values that were ticked. */
  choose(
    message: string,
    choices: readonly {
      readonly name: string;
      readonly value: string;
      readonly description: string;
    }[],
  ): Promise<readonly string[]>;
}

/** To stop, and to read the files again. */
export type HeardSignal = "SIGINT" | "SIGTERM" | "SIGHUP";

export interface Host {
  /** Absolute, as the shell gave it. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly platform: NodeJS.Platform;
  /** Numeric user, or null where there is none (Windows). */
  readonly uid: number | null;
  readonly pid: number;
  readonly files: Files;
  readonly stdin: {
    readonly isTTY: boolean;
    /** All of standard input as text. */
    readAll(): Promise<string>;
  };
  /** Standard input and output as bytes, for a program that speaks a protocol over them and prints nothing else. */
  pipes(): { readonly input: Readable; readonly output: Writable };
  readonly stdout: Output;
  readonly stderr: Output;
  /** Loaded only when a question is asked. */
  readonly prompts: Prompts;
  /** True while a process of that number lives. */
  processLives(pid: number): boolean;
  /** Ends early, without an error, when the signal is aborted. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** Hears signals of the system instead of being ended by them. Gives the function that takes it back. */
  onSignal(listen: (signal: HeardSignal) => void): () => void;
  /** Milliseconds since 1970. */
  now(): number;
}
