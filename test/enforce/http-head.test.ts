// Heads of requests and answers, and headers that mirror the body.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  answerForm,
  decodeMirrored,
  encodeMirrored,
  headerValues,
  requestHeadProblem,
} from "../../src/enforce/http-head.ts";

const BOTH = ["Accept", "application/json, text/event-stream"];
const head = (...headers: string[]) =>
  requestHeadProblem(headerValues(headers))?.status ?? "ok";

test.each([
  ["application/json", "ok"],
  ["APPLICATION/JSON", "ok"],
  ['APPLICATION/JSON; Charset="UTF-8"', "ok"],
  ["application/json;charset=utf-8", "ok"],
  [" application/json ; charset = utf-8 ", "ok"],
  ["application/json; charset=utf-16", 415],
  ["application/json; charset=iso-8859-1", 415],
  ["application/json; charset=utf-8; charset=utf-16", 415],
  ["application/json; x=1", 415],
  ["application/json, text/plain", 415],
  ["application/json\0", 415],
  ["application/json-rpc", 415],
  ["text/json", 415],
  ["text/plain", 415],
  ["", 415],
])("a body of the type `%s`", (type, wanted) => {
  expect(head("Content-Type", type, ...BOTH)).toBe(wanted);
});

test("a type that is missing or said twice", () => {
  expect(head(...BOTH)).toBe(415);
  expect(
    head(
      "Content-Type",
      "application/json",
      "content-type",
      "application/json",
      ...BOTH,
    ),
  ).toBe(415);
});

test.each(["gzip", "deflate", "br", "zstd", "identity", "identity, gzip", ""])(
  "a body that says it is encoded as `%s`",
  (encoding) => {
    expect(
      head(
        "Content-Type",
        "application/json",
        "Content-Encoding",
        encoding,
        ...BOTH,
      ),
    ).toBe(415);
  },
);

test.each([
  ["application/json, text/event-stream", "ok"],
  ["text/event-stream;q=0.5,application/json", "ok"],
  ["*/*", "ok"],
  ["application/*, text/*", "ok"],
  ["application/json", 406],
  ["text/event-stream", 406],
  ["", 406],
])("a client that accepts `%s`", (accept, wanted) => {
  expect(head("Content-Type", "application/json", "Accept", accept)).toBe(
    wanted,
  );
});

test.each([
  [["Content-Type", "application/json"], "json"],
  [["Content-Type", "application/json; charset=utf-8"], "json"],
  [["Content-Type", "text/event-stream"], "events"],
  [["Content-Type", "text/event-stream; charset=utf-8"], "events"],
  [
    ["Content-Type", "text/event-stream", "Content-Encoding", "identity"],
    "events",
  ],
  [["Content-Type", "application/json", "Content-Encoding", "gzip"], null],
  [
    ["Content-Type", "application/json", "Content-Type", "text/event-stream"],
    null,
  ],
  [["Content-Type", "application/json, text/event-stream"], null],
  [["Content-Type", "application/json; charset=utf-16"], null],
  [["Content-Type", "text/html"], null],
  [[], null],
])("an answer with %j is read as %s", (headers, form) => {
  expect(answerForm(headerValues(headers))).toBe(form);
});

test("a mirrored value comes back as it went", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      expect(encodeMirrored(text)).toMatch(/^[ -~]*$/);
      expect(decodeMirrored(encodeMirrored(text))).toBe(text.toWellFormed());
    }),
  );
  for (const text of [
    "",
    " a",
    "a ",
    "a\tb",
    "=?base64?YQ==?=",
    "größe",
    "\u{1f600}",
  ])
    expect(decodeMirrored(encodeMirrored(text))).toBe(text);
});

test.each([
  ["=?base64?/w==?=", null],
  ["=?base64?YQ=?=", null],
  ["=?base64?Y Q==?=", null],
  ["=?base64?YQ==", "=?base64?YQ=="],
  ["=?BASE64?YQ==?=", "=?BASE64?YQ==?="],
  ["=?base64??=", ""],
  ["a\u0000", null],
  ["é", null],
  ["  a b\t", "a b"],
])("the mirrored value `%s` stands for %j", (value, wanted) => {
  expect(decodeMirrored(value)).toBe(wanted);
});
