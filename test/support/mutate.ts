// Random changes of JSON texts: of characters, of structure, of bytes. For the fuzz tests.
import * as fc from "fast-check";

/** Pieces that parsers disagree about. */
const PIECES = [
  '"',
  "\\",
  "{",
  "}",
  "[",
  "]",
  ",",
  ":",
  " ",
  "\n",
  "\t",
  "\0",
  "\u000b",
  "\u00a0",
  "\ufeff",
  "\u2028",
  "\u200b",
  "é",
  "\u{1f600}",
  "ſ",
  "K",
  "\\u0061",
  "\\u005f",
  "\\ud800",
  "\\udc00",
  "\\u0000",
  "\\/",
  "\\n",
  "\\x",
  "null",
  "true",
  "nul",
  "NaN",
  "-",
  "0",
  "01",
  "1e400",
  "-0",
  "1.0",
  "1e2",
  "9007199254740993",
  '"id":2',
  '"id":null,',
  ',"id":"1"',
  '"method":"tools/call"',
  ',"method":"tools/list"',
  ',"Method":"tools/call"',
  ',"name":"delete_all"',
  '"name":"delete_all",',
  ',"n\\u0061me":"delete_all"',
  ',"params":{"name":"delete_all"}',
  '"result":{},',
  ',"error":{}',
  ',"__proto__":{}',
  '"_meta":{},',
  "tools/call",
  "tools/list",
  "delete_all",
  "read_file",
  "search_admin",
  "//x\n",
  "/*x*/",
  "]]",
  "[[[[[[[[[[[[[[[[[[[[",
  '{"a":{"a":{"a":',
];

const change = fc.record({
  how: fc.constantFrom(
    "insert",
    "insert",
    "insert",
    "delete",
    "replace",
    "copy",
    "swap-case",
    "escape",
    "byte",
  ),
  at: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
  to: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
  length: fc.integer({ min: 1, max: 12 }),
  piece: fc.constantFrom(...PIECES),
  byte: fc.integer({ min: 0, max: 255 }),
});

/** One of the texts with up to four changes, as bytes. */
export const mutated = (
  texts: readonly string[],
): fc.Arbitrary<Uint8Array<ArrayBuffer>> =>
  fc
    .tuple(fc.constantFrom(...texts), fc.array(change, { maxLength: 4 }))
    .map(([text, changes]) => {
      let now = text;
      const bytes: [number, number][] = [];
      for (const c of changes) {
        const at = Math.floor(c.at * (now.length + 1));
        const to = Math.floor(c.to * (now.length + 1));
        const end = at + c.length;
        if (c.how === "insert")
          now = now.slice(0, at) + c.piece + now.slice(at);
        else if (c.how === "delete") now = now.slice(0, at) + now.slice(end);
        else if (c.how === "replace")
          now = now.slice(0, at) + c.piece + now.slice(end);
        else if (c.how === "copy")
          now = now.slice(0, to) + now.slice(at, end) + now.slice(to);
        else if (c.how === "swap-case")
          now =
            now.slice(0, at) +
            now.slice(at, at + 1).toUpperCase() +
            now.slice(at + 1);
        else if (c.how === "escape" && at < now.length)
          now = `${now.slice(0, at)}\\u${now.charCodeAt(at).toString(16).padStart(4, "0")}${now.slice(at + 1)}`;
        else if (c.how === "byte") bytes.push([c.at, c.byte]);
      }
      const out = Uint8Array.from(Buffer.from(now, "utf8"));
      for (const [at, byte] of bytes)
        if (out.length > 0) out[Math.floor(at * out.length)] = byte;
      return out;
    });
