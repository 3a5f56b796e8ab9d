// Bytes to lines, as they come: in pieces of any size, many at once, or one that never ends. A line that is too long is
// told once and passed over, and what follows it is read as if it had not been there.

interface LineReader {
  /** Hands over each line that these bytes end, its line feed included. */
  push(chunk: Buffer): void;
  /** What has come of a line that is not ended, as far as it is kept. */
  rest(): Buffer;
}

interface LineOptions {
  /** Bytes of one line without its end, as they are when it begins. */
  readonly most: () => number;
  /** The bytes may be a part of the chunk. */
  readonly line: (bytes: Buffer) => void;
  /** Of a line that is longer: its first bytes, when it is known to be too long; nothing more is kept of it. */
  readonly tooLong: (first: Buffer) => void;
  /** The last bytes of such a line, when it is over. */
  readonly skipped?: (last: Buffer) => void;
}

const LF = 0x0a;
const NONE = Buffer.alloc(0);
/** Bytes that are kept of the end of a line that is too long. */
const TAIL = 512;

export function readLines(options: LineOptions): LineReader {
  /** What has come of a line. Grows by doubling: one byte at a time must not cost a piece of memory each. */
  let kept = NONE;
  let length = 0;
  let skipping = false;
  let tail = NONE;

  const keep = (part: Buffer): void => {
    if (length + part.length > kept.length) {
      const more = Buffer.allocUnsafe(
        Math.max(4_096, 2 * kept.length, length + part.length),
      );
      kept.copy(more, 0, 0, length);
      kept = more;
    }
    part.copy(kept, length);
    length += part.length;
  };
  const remember = (part: Buffer): void => {
    tail = Buffer.from(
      part.length >= TAIL
        ? part.subarray(-TAIL)
        : Buffer.concat([tail, part]).subarray(-TAIL),
    );
  };
  const give = (part: Buffer): void => {
    // One byte is the line feed.
    if (length + part.length - 1 > options.most()) {
      keep(part.subarray(0, 4_096));
      options.tooLong(kept.subarray(0, Math.min(length, 4_096)));
      remember(part.subarray(0, -1));
      options.skipped?.(tail);
      tail = NONE;
    } else if (length === 0) options.line(part);
    else {
      keep(part);
      options.line(kept.subarray(0, length));
    }
    // What was handed over may still be in use.
    kept = NONE;
    length = 0;
  };

  return {
    rest: () => kept.subarray(0, length),
    push(chunk) {
      let from = 0;
      for (;;) {
        const end = chunk.indexOf(LF, from);
        if (end < 0) break;
        const part = chunk.subarray(from, end + 1);
        from = end + 1;
        if (!skipping) give(part);
        else {
          remember(part.subarray(0, -1));
          options.skipped?.(tail);
          tail = NONE;
          skipping = false;
        }
      }
      if (from === chunk.length) return;
      const part = chunk.subarray(from);
      if (skipping) return remember(part);
      if (length + part.length <= options.most()) return keep(part);
      skipping = true;
      keep(part.subarray(0, 4_096));
      options.tooLong(kept.subarray(0, Math.min(length, 4_096)));
      kept = NONE;
      length = 0;
      remember(part);
    },
  };
}
