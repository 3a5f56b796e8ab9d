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

/** Members that say something a second time, or nearly. */
const MEMBERS = [
  '"id":2',
  '"method":"tools/call"',
  '"method":"tools/list"',
  '"Method":"tools/call"',
  '"jsonrpc":"2.0"',
  '"params":{"name":"delete_all"}',
  '"name":"delete_all"',
  '"name":"read_file"',
  '"n\\u0061me":"delete_all"',
  '"Name":"delete_all"',
  '"na\u200bme":"delete_all"',
  '"arguments":{"a":1}',
  '"_meta":{}',
  '"tools":[]',
  '"result":{}',
  '"error":{"code":1,"message":"x"}',
  '"task":{}',
  '"__proto__":{"name":"read_file"}',
];

/** A part of the way through the text. `fc.double` would nearly always give the beginning. */
const place = fc
  .noBias(fc.integer({ min: 0, max: 9_999 }))
  .map((n) => n / 10_000);

const change = fc.record({
  how: fc.constantFrom(
    "member",
    "member",
    "again",
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
  at: place,
  to: place,
  length: fc.integer({ min: 1, max: 12 }),
  piece: fc.constantFrom(...PIECES),
  member: fc.constantFrom(...MEMBERS),
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
        if (c.how === "member") now = withMember(now, c.at, c.member);
        else if (c.how === "again")
          now = withMember(now, c.at, memberIn(now, c.to));
        else if (c.how === "insert")
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

/** A member more, at the beginning or the end of some object. */
function withMember(text: string, at: number, member: string): string {
  const places = [...text.matchAll(/\{(?!\})|(?<!\{)\}/g)];
  const place = places[Math.floor(at * places.length)];
  if (place === undefined || member === "") return text;
  return place[0] === "{"
    ? `${text.slice(0, place.index + 1)}${member},${text.slice(place.index + 1)}`
    : `${text.slice(0, place.index)},${member}${text.slice(place.index)}`;
}

/** A member that stands in the text, with a plain value. */
function memberIn(text: string, at: number): string {
  const members = [...text.matchAll(/"[^"\\]*":(?:"[^"\\]*"|\d+)/g)];
  return members[Math.floor(at * members.length)]?.[0] ?? "";
}
