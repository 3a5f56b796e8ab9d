// Reads a file that a person has named, or that is theirs: links are followed wherever they lead. Other tools' files may
// be UTF-16 with a byte order mark, as Windows writes them.
import { report } from "../diagnostics/catalog.ts";
import type { Result } from "../diagnostics/diagnostic.ts";
import type { Host } from "../host/host.ts";
import { decodeUtf8 } from "./decode-utf8.ts";
import { readProblem } from "./read-file.ts";

/** Agents keep their history in some of these files, so they may be larger than ours. */
const MOST_BYTES = 32 * 1024 * 1024;

export function readChosenFile(host: Host, file: string): Result<string> {
  try {
    const bytes = host.files.read(host.files.realpath(file), MOST_BYTES);
    const text = decodeUtf16(bytes) ?? decodeUtf8(bytes);
    if (typeof text === "string") return { value: text, diagnostics: [] };
    const at = { file, start: text, end: text };
    return {
      value: null,
      diagnostics: [report("read/not-utf8", { file }, { at })],
    };
  } catch (error) {
    return {
      value: null,
      diagnostics: [readProblem(file, error, null, "32 MiB")],
    };
  }
}

/** Null without its byte order mark, or when it is not in order. */
function decodeUtf16(bytes: Uint8Array): string | null {
  const [first, second] = bytes;
  const name =
    first === 0xff && second === 0xfe
      ? "utf-16le"
      : first === 0xfe && second === 0xff
        ? "utf-16be"
        : null;
  if (name === null) return null;
  try {
    return new TextDecoder(name, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
