// What is refused before any decision, one rule a line. Only the door shows this, and it has its own suite.
import { expect, test } from "vitest";
import { readMessage } from "../../src/enforce/message.ts";

const read = (body: string | Uint8Array, bytes = 4_194_304) => {
  const message = readMessage(
    typeof body === "string" ? new TextEncoder().encode(body) : body,
    { bytes },
  );
  return message.kind === "problem"
    ? `${message.status} ${message.code}: ${message.words}`
    : message.kind;
};
const with1 = (member: string) =>
  `{"jsonrpc":"2.0","id":1,"method":"m",${member}}`;
const withId = (id: string) => `{"jsonrpc":"2.0","id":${id},"method":"m"}`;
const bytes = (...parts: (string | number[])[]) =>
  Uint8Array.from(
    parts.flatMap((p) =>
      typeof p === "string" ? [...new TextEncoder().encode(p)] : p,
    ),
  );

test.each([
  ["a trailing comma", '{"jsonrpc":"2.0","id":1,"method":"m",}'],
  ["a comment", '{"jsonrpc":"2.0",/*x*/"id":1,"method":"m"}'],
  ["single quotes", "{'jsonrpc':'2.0'}"],
  ["a second document", `${withId("1")}${withId("2")}`],
  ["a trailing NUL", `${withId("1")}\0`],
  ["a form feed as a blank", `${withId("1")}\f`],
  ["a no-break space as a blank", `\u00a0${withId("1")}`],
  ["nothing", ""],
  ["blanks only", " \n"],
  ["an open object", '{"jsonrpc":"2.0"'],
  ["an open string", '{"jsonrpc":"2.0'],
  ["an open escape", '{"a":"\\'],
  ["a number with a leading zero", with1('"params":{"n":01}')],
  ["a number with a plus", with1('"params":{"n":+1}')],
  ["a number that ends with a dot", with1('"params":{"n":1.}')],
  ["a number without a digit before the dot", with1('"params":{"n":.5}')],
  ["a number with an empty exponent", with1('"params":{"n":1e}')],
  ["a lone minus", with1('"params":{"n":-}')],
  ["NaN", with1('"params":{"n":NaN}')],
  ["Infinity", with1('"params":{"n":Infinity}')],
  ["a word in capitals", with1('"params":{"n":True}')],
  ["a word that goes on", with1('"params":{"n":nullx}')],
  ["a raw control character in a string", with1('"params":{"n":"a\nb"}')],
  ["a raw tab in a name", with1('"params":{"a\tb":1}')],
  ["an unknown escape", with1('"params":{"n":"\\x41"}')],
  ["a short escape", with1('"params":{"n":"\\u12"}')],
  ["an escape that is not hexadecimal", with1('"params":{"n":"\\u12g4"}')],
  ["a name without quotes", "{jsonrpc:1}"],
  ["a missing colon", '{"jsonrpc" "2.0"}'],
  ["a missing comma", '{"jsonrpc":"2.0" "id":1}'],
  ["a bracket of the wrong kind", with1('"params":{"a":[1}]}')],
])("%s is no JSON", (_what, body) => {
  expect(read(body)).toBe("400 -32700: the text is not one JSON value");
});

test.each([
  ["a byte order mark", bytes([0xef, 0xbb, 0xbf], withId("1"))],
  ["half a code point", bytes(with1('"params":{"n":"'), [0xe2, 0x82], '"}}')],
  ["a surrogate in UTF-8", bytes('{"a":"', [0xed, 0xa0, 0xbd], '"}')],
  ["an overlong form", bytes('{"a":"', [0xc0, 0xaf], '"}')],
  ["UTF-16", Uint8Array.from(Buffer.from(withId("1"), "utf16le"))],
])("%s is refused", (_what, body) => {
  expect(read(body)).toMatch(/^400 -32700: /);
});

test.each([
  ["twice at the top", '{"jsonrpc":"2.0","id":1,"id":2,"method":"m"}'],
  ["twice in params", with1('"params":{"name":"a","name":"b"}')],
  ["once with an escape", with1('"params":{"name":"a","n\\u0061me":"b"}')],
  ["deep in arguments", with1('"params":{"arguments":{"a":[{"b":1,"b":1}]}}')],
  [
    "after many others",
    with1(
      `"params":{${Array.from({ length: 20 }, (_, i) => `"k${i}":1`).join()},"k3":2}`,
    ),
  ],
  ["as __proto__", with1('"params":{"__proto__":1,"__proto__":2}')],
  ["empty", with1('"params":{"":1,"":2}')],
])("a name that stands %s is refused", (_where, body) => {
  expect(read(body)).toMatch(/a member name stands twice/);
});

test.each([
  ["another member", with1('"x":1'), "does not know"],
  ["__proto__", with1('"__proto__":{"method":"x"}'), "does not know"],
  ["another case", with1('"Method":"x"'), "looks like"],
  ["a long s", with1('"param\u017f":{}'), "looks like"],
  ["full width", with1('"ｍethod":"x"'), "looks like"],
  ["an invisible character", with1('"met\u200bhod":"x"'), "looks like"],
  ["another case in params", with1('"params":{"Name":"x"}'), "of `params`"],
  [
    "a Kelvin sign in params",
    with1('"params":{"tas\u212a":{}}'),
    "of `params`",
  ],
  [
    "another case in _meta",
    with1('"params":{"_meta":{"ProgressToken":1}}'),
    "of `_meta`",
  ],
  [
    "a disguised version",
    with1('"params":{"_meta":{"io.modelcontextprotocol/protocolversion":1}}'),
    "of `_meta`",
  ],
])("%s is refused", (_what, body, words) => {
  expect(read(body)).toContain(words);
});

test.each([
  ["null", "null"],
  ["a fraction", "1.5"],
  ["a whole number as a fraction", "1.0"],
  ["an exponent", "1e2"],
  ["minus zero", "-0"],
  ["more than a double holds", "9007199254740993"],
  ["infinite", "1e400"],
  ["a boolean", "true"],
  ["an array", "[1]"],
  ["an object", '{"a":1}'],
  ["a long string", `"${"A".repeat(257)}"`],
  ["half a surrogate pair", '"\\ud800"'],
])("an id that is %s is refused", (_what, id) => {
  expect(read(withId(id))).toMatch(/^400 /);
});

test.each([
  ["0", "0"],
  ["-1", "-1"],
  ["9007199254740991", "9007199254740991"],
  ['"a"', '"a"'],
  ['"\\u0031"', '"1"'],
  ['"__proto__"', '"__proto__"'],
])("the id %s is kept as %s", (id, wanted) => {
  const message = readMessage(new TextEncoder().encode(withId(id)), {
    bytes: 1_000,
  });
  expect("id" in message ? message.id : null).toBe(wanted);
});

test.each([
  ["a batch", "[]", "batches are not accepted"],
  ["a batch of one", `[${withId("1")}]`, "batches are not accepted"],
  ["a scalar", '"tools/call"', "not an object"],
  ["no version", '{"id":1,"method":"m"}', "`jsonrpc`"],
  ["a numeric version", '{"jsonrpc":2.0,"id":1,"method":"m"}', "`jsonrpc`"],
  ["an array as method", '{"jsonrpc":"2.0","id":1,"method":["m"]}', "`method`"],
  ["neither method nor result", '{"jsonrpc":"2.0","id":1}', "neither"],
  [
    "a result and an error",
    '{"jsonrpc":"2.0","id":1,"result":{},"error":{}}',
    "neither",
  ],
  ["an answer without id", '{"jsonrpc":"2.0","result":{}}', "neither"],
  ["a method and a result", with1('"result":{}'), "at once"],
  ["params as null", with1('"params":null'), "`params`"],
  ["params as an array", with1('"params":[]'), "`params`"],
  ["_meta as an array", with1('"params":{"_meta":[]}'), "`_meta`"],
  ["an infinite number", with1('"params":{"n":1e400}'), "number"],
  [
    "an infinite number without exponent",
    with1(`"params":{"n":${"9".repeat(400)}}`),
    "number",
  ],
  [
    "half a surrogate pair in a name",
    with1('"params":{"\\ud83d":1}'),
    "Unicode",
  ],
])("%s is refused", (_what, body, words) => {
  expect(read(body)).toContain(words);
});

test("objects and arrays may be 64 deep and no deeper", () => {
  const nested = (depth: number) =>
    with1(`"params":{"a":${"[".repeat(depth)}${"]".repeat(depth)}}`);
  expect(read(nested(62))).toBe("request");
  expect(read(nested(63))).toMatch(/nested deeper/);
  expect(read(nested(100_000))).toMatch(/nested deeper/);
});

test("an object may have 10,000 members and no more", () => {
  const many = (count: number) =>
    with1(
      `"params":{"a":{${Array.from({ length: count }, (_, i) => `"k${i}":0`).join()}}}`,
    );
  expect(read(many(10_000))).toBe("request");
  expect(read(many(10_001))).toMatch(/^413 /);
});

test("a message over the limit is too large before it is read", () => {
  expect(read(withId("1"), 10)).toMatch(/^413 /);
});

test("blanks of JSON may stand anywhere", () => {
  expect(
    read(' \n{\t"jsonrpc" : "2.0" ,\r\n"id":1, "method":"m","params":{ } } '),
  ).toBe("request");
});

test("half a surrogate pair in a value is remembered", () => {
  for (const [text, lone] of [
    ["\\ud800", true],
    ["\\udc00", true],
    ["\\ud800\\ud800", true],
    ["\\ud83d\\ude00", false],
    ["\\uD83D\\uDE00", false],
    ["\u{1f600}", false],
  ] as const) {
    const message = readMessage(
      new TextEncoder().encode(with1(`"params":{"n":"${text}"}`)),
      { bytes: 1_000 },
    );
    expect("loneSurrogate" in message && message.loneSurrogate).toBe(lone);
  }
});
