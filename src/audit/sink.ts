// Adds lines to a log, before what they say happens: each at once, or those of one turn of the event loop with one write.
// Full files give way to new ones, old ones are removed; a line that a crash or a full disk cut short never takes the
// next one with it.
import { report } from "../diagnostics/catalog.ts";
import type { Result } from "../diagnostics/diagnostic.ts";
import type { RecordLog } from "../enforce/door.ts";
import type { AppendFile, Host } from "../host/host.ts";
import { systemReason } from "../host/system-reason.ts";
import { printRow } from "./log-row.ts";
import { segmentPath, segmentsIn } from "./segments.ts";

export interface Sink {
  /** False when the line could not be written whole: then what it says must not happen. */
  readonly write: RecordLog;
  /** Lines that wait are written first. */
  close(): void;
}

interface SinkOptions {
  readonly folder: string;
  /** Which gateway or guard this is. */
  readonly run: string;
  readonly maxBytes?: number;
  readonly maxFiles?: number;
}

const MAX_BYTES = 8 * 1024 * 1024;
const MAX_FILES = 8;
/** Milliseconds. */
const LOOK_AGAIN = 1_000;
/** Lines that wait to be written together. */
const MOST_WAITING = 64;

/** Opens the log, and makes its folder when there is none. */
export function openSink(host: Host, options: SinkOptions): Result<Sink> {
  const { folder, run, maxBytes = MAX_BYTES, maxFiles = MAX_FILES } = options;
  const time = clock();
  let number = 1;
  let file: AppendFile | null = null;
  /** True when the file may end in the middle of a line. */
  let torn = false;
  /** Bytes in the file when it was last looked at, and what was added here since. */
  let size = 0;
  let seenAt = 0;

  const open = (at: number): AppendFile => {
    const path = segmentPath(folder, at);
    const opened = host.files.openAppend(path, 0o600);
    size = opened.stat().size;
    seenAt = host.now();
    torn = size > 0 && host.files.readAt(path, size - 1, 1)[0] !== 0x0a;
    number = at;
    return (file = opened);
  };
  const openLast = (): AppendFile =>
    open(segmentsIn(host, folder).at(-1)?.number ?? 1);
  /** The file for the next line. */
  const current = (): AppendFile => {
    const there = file ?? openLast();
    let isThere = true;
    // Others add to the file too, and it may be removed; to ask before each line would cost as much as the line.
    if (Math.abs(host.now() - seenAt) >= LOOK_AGAIN) {
      ({ size, isThere } = there.stat());
      seenAt = host.now();
    }
    if (isThere && size < maxBytes) return there;
    there.close();
    file = null;
    if (!isThere) return openLast();
    const last = segmentsIn(host, folder).at(-1)?.number ?? number;
    const next = open(last > number ? last : number + 1);
    prune(host, folder, maxFiles);
    return next;
  };

  try {
    host.files.makeFolder(folder, 0o700);
    current();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    return {
      value: null,
      diagnostics: [
        report("write/not-writable", {
          file: folder,
          reason: systemReason(code),
        }),
      ],
    };
  }
  const append = (lines: string): boolean => {
    try {
      const to = current();
      const text = torn ? `\n${lines}` : lines;
      torn = true;
      to.append(text);
      torn = false;
      size += text.length;
      return true;
    } catch {
      // Whatever it is, the caller has to know only that nothing may happen. The next line tries again.
      return false;
    }
  };
  let waiting: Waiting[] = [];
  /** Writes what waits, and a line behind it. */
  const flush = (last = ""): boolean => {
    const group = waiting;
    if (group.length === 0 && last === "") return true;
    waiting = [];
    const written = append(group.map(({ line }) => line).join("") + last);
    for (const { later } of group) later(written);
    return written;
  };

  return {
    value: {
      write(record, { agent, milliseconds }, later) {
        const line = printRow(record, {
          time: time(host.now()),
          run,
          agent,
          ms: milliseconds,
        });
        if (later === undefined || waiting.length === MOST_WAITING)
          return flush(line);
        waiting.push({ line, later });
        if (waiting.length === 1) setImmediate(flush);
        return null;
      },
      close() {
        flush();
        file?.close();
        file = null;
      },
    },
    diagnostics: [],
  };
}

/** A line that is written with others, and who waits for it. */
interface Waiting {
  readonly line: string;
  readonly later: (written: boolean) => void;
}

/** Prints moments as ISO 8601. Most lines belong to the second of the line before, and many to its millisecond. */
function clock(): (now: number) => string {
  let last = NaN;
  let text = "";
  let second = NaN;
  let printed = "";
  return (now) => {
    if (now === last) return text;
    last = now;
    const whole = Math.floor(now / 1_000);
    if (whole !== second) {
      second = whole;
      printed = new Date(whole * 1_000).toISOString().slice(0, -4);
    }
    return (text = `${printed}${String(Math.floor(now) - whole * 1_000).padStart(3, "0")}Z`);
  };
}

/** Removes the oldest files. One that cannot be removed stays. */
function prune(host: Host, folder: string, maxFiles: number): void {
  for (const { path } of segmentsIn(host, folder).slice(0, -maxFiles))
    try {
      host.files.remove(path);
    } catch {
      // On Windows another process may have it open.
    }
}
