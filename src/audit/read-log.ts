// Reads a log from its beginning and, asked again, what has been added since. Lines that are no rows are passed over.
import type { Host } from "../host/host.ts";
import { parseRow, type LogRow } from "./log-row.ts";
import { segmentsIn } from "./segments.ts";

interface LogReader {
  /** The rows that have not been read yet, in the order of the files. A line that is not ended waits for its end. */
  rows(): Generator<LogRow>;
}

/** Longer than any line of ours. */
const BLOCK = 1024 * 1024;
const LF = 0x0a;

/** `folder` need not exist yet. */
export function openLog(host: Host, folder: string): LogReader {
  /** How far each file has been read. */
  const offsets = new Map<number, number>();
  return {
    *rows() {
      for (const { number, path } of segmentsIn(host, folder))
        for (;;) {
          const offset = offsets.get(number) ?? 0;
          const block = readBlock(host, path, offset);
          const ended = block.lastIndexOf(LF) + 1;
          // A full block without a line end is no log; it is passed over.
          const taken = ended === 0 && block.length === BLOCK ? BLOCK : ended;
          if (taken === 0) break;
          offsets.set(number, offset + taken);
          const text = new TextDecoder().decode(block.subarray(0, taken));
          for (const line of text.split("\n")) {
            const row = line === "" ? null : parseRow(line);
            if (row !== null) yield row;
          }
        }
    },
  };
}

/** Nothing when the file has been removed meanwhile. */
function readBlock(host: Host, path: string, offset: number): Uint8Array {
  try {
    return host.files.readAt(path, offset, BLOCK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT")
      return new Uint8Array();
    throw error;
  }
}
