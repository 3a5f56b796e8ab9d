// Places inside bytes that are no text, which a golden case shows once.
import { expect, test } from "vitest";
import { decodeUtf8 } from "../../src/read/decode-utf8.ts";

const bytes = (...parts: readonly (string | number)[]) =>
  Buffer.concat(
    parts.map((p) => (typeof p === "string" ? Buffer.from(p) : Buffer.of(p))),
  );

test.each<[string, Uint8Array, string]>([
  ["plain", bytes("a\nb"), "a\nb"],
  ["empty", bytes(), ""],
  ["with a byte order mark", bytes("\ufeffa"), "\ufeffa"],
  ["beyond the first plane", bytes("é😀"), "é😀"],
])("reads text that is %s", (_, given, text) => {
  expect(decodeUtf8(given)).toBe(text);
});

test.each<[string, Uint8Array, number, number]>([
  ["at the start", bytes(0xff), 1, 1],
  ["in the first line", bytes("ab", 0xe9, '"'), 1, 3],
  ["in a later line", bytes("é\n\nxy", 0xff, "\n"), 3, 3],
  ["at the end, unfinished", bytes("ab\n", 0xf0, 0x9f), 2, 1],
  ["a surrogate half", bytes("a", 0xed, 0xa0, 0x80), 1, 2],
  ["an overlong form", bytes("a", 0xc0, 0xaf), 1, 2],
])("says where a wrong byte stands: %s", (_, given, line, column) => {
  expect(decodeUtf8(given)).toMatchObject({ line, column });
});
