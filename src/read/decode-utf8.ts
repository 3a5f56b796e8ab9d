// Bytes → text, strictly: a byte that is not UTF-8 is an error with its place, never a replacement character.
import type { Position } from "../diagnostics/diagnostic.ts";

/** The text, with a byte order mark if there is one, or where the first wrong byte stands. */
export function decodeUtf8(bytes: Uint8Array): string | Position {
  if (isPrefix(bytes)) {
    try {
      return strict().decode(bytes);
    } catch {
      return placeOf(bytes);
    }
  }
  // The longest beginning that is in order, by bisection: this is the rare case, so it may take a little.
  let good = 0;
  let bad = bytes.length;
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (isPrefix(bytes.subarray(0, middle))) good = middle;
    else bad = middle;
  }
  return placeOf(bytes.subarray(0, good));
}

const strict = () => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Whether the bytes are the beginning of some text. */
function isPrefix(bytes: Uint8Array): boolean {
  try {
    strict().decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** The place behind these bytes. A character that they leave unfinished begins where the wrong byte is looked for. */
function placeOf(before: Uint8Array): Position {
  const text = strict().decode(before, { stream: true });
  const line = text.split("\n").length;
  const column = text.length - text.lastIndexOf("\n");
  return { line, column, offset: text.length };
}
