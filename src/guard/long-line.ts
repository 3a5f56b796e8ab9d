// Whose answer a line was that is too long to be read: servers write the id first or last. That a server could lie here
// is no matter: it may fail any of its calls.
import type { Exchange, Outstanding } from "../enforce/exchange.ts";

const ID = String.raw`("[^"\\]{0,256}"|-?\d{1,16})`;
const VERSION = String.raw`"jsonrpc"\s*:\s*"2\.0"`;
const FIRST = new RegExp(
  String.raw`^\s*\{\s*(?:${VERSION}\s*,\s*)?"id"\s*:\s*${ID}`,
);
const LAST = new RegExp(
  String.raw`"id"\s*:\s*${ID}\s*(?:,\s*${VERSION}\s*)?\}\s*$`,
);

/** Null when it cannot be told. */
export function answerIn(
  first: Buffer,
  last: Buffer,
  open: Outstanding,
): Exchange | null {
  const id =
    FIRST.exec(first.toString("utf8", 0, 512))?.[1] ??
    LAST.exec(last.toString("utf8"))?.[1];
  const [only] = open.values();
  return (
    (id === undefined ? undefined : open.get(id)) ??
    (open.size === 1 ? (only ?? null) : null)
  );
}
