// A pinned definition is shown and called exactly as long as it means what was pinned, whatever else about its text.
import {
  assert,
  dictionary,
  jsonValue,
  pre,
  property,
  string,
} from "fast-check";
import { expect, test } from "vitest";
import { hashOf } from "../../src/enforce/pins.ts";
import type { Pins } from "../../src/model/model.ts";
import {
  brief,
  call,
  exchange,
  passed,
  receive,
  roadOf,
  send,
} from "../support/enforce-case.ts";
import { sha256 } from "../../src/sha256.ts";

const pinsOf = (definition: string): Pins => ({
  origin: null,
  instructions: null,
  tools: new Map([["read_file", hashOf(sha256, definition)]]),
});

/** Whether a tool with this definition is listed, and what becomes of its call. */
function through(pins: Pins, definition: string) {
  const road = roadOf(undefined, [], [pins]);
  const got = passed(
    receive(
      road,
      `{"jsonrpc":"2.0","id":1,"result":{"tools":[${definition}]}}`,
      exchange("tools/list"),
    ),
  ) as { result: { tools: unknown[] } } | null;
  return {
    shown: got?.result.tools.length === 1,
    call: brief(send(road, call("read_file"))),
  };
}

const value = jsonValue({ maxDepth: 4, noUnicodeString: false });
const definition = dictionary(string({ unit: "grapheme" }), value, {
  maxKeys: 6,
}).map((more) => ({
  ...more,
  name: "read_file",
  inputSchema: { type: "object", properties: { a: { const: more } } },
}));

/** The same with its members in another order, and blanks. */
function reordered(data: unknown): string {
  if (Array.isArray(data)) return `[ ${data.map(reordered).join(" ,\n")} ]`;
  if (typeof data !== "object" || data === null) return JSON.stringify(data);
  return `{ ${Object.entries(data)
    .reverse()
    .map(([key, inner]) => `${JSON.stringify(key)}\t: ${reordered(inner)}`)
    .join(" , ")} }`;
}

test("another order and other blanks are the same definition", () => {
  assert(
    property(definition, (data) => {
      const text = JSON.stringify(data);
      const unpinned = through({ ...pinsOf(text) }, text);
      // What may not be shown at all is withheld with and without a pin.
      pre(unpinned.shown);
      expect(through(pinsOf(text), reordered(data))).toEqual({
        shown: true,
        call: "forward",
      });
    }),
  );
});

test("one character more, less or other is another definition, hidden and refused", () => {
  const text = JSON.stringify({
    name: "read_file",
    description: "Reads a file",
    inputSchema: {
      type: "object",
      properties: { path: { type: "string", maxLength: 9007199254740992 } },
    },
    annotations: { readOnlyHint: true },
    _meta: { ui: { a: 1.5 } },
  }).replace("9007199254740992", "9007199254740993");
  const pins = pinsOf(text);
  expect(through(pins, text).call).toBe("forward");
  for (let at = 0; at < text.length; at++)
    for (const put of ["", "x", "1", "2", " "]) {
      const changed = text.slice(0, at) + put + text.slice(at + 1);
      let same: boolean;
      try {
        // Digits beyond a double's are told apart as well: compared here as text.
        const parse = (json: string) =>
          JSON.parse(json.replace(/\b(\d{16})\b/, '"$1"')) as unknown;
        same = JSON.stringify(parse(changed)) === JSON.stringify(parse(text));
      } catch {
        continue;
      }
      const got = through(pins, changed);
      if (same) expect(got, changed).toEqual({ shown: true, call: "forward" });
      else {
        expect(got.shown, changed).toBe(false);
        expect(got.call, changed).not.toBe("forward");
      }
    }
});
