// Secrets in what flows back: the server's own token in the spellings a server may send it in, and forms of tokens.
import { expect, test } from "vitest";
import { createRedactor } from "../../src/enforce/redact.ts";
import {
  exchange,
  passed,
  receive,
  result,
  roadOf,
} from "../support/enforce-case.ts";

const TOKEN = "tok/live+0123=456789.abcDEF";
const { json, text, across } = createRedactor([TOKEN]);
const GITHUB = `ghp_${"0123456789abcdefghijklmnopqrstuvwxyz"}`;
const base64 = (value: string) => Buffer.from(value).toString("base64");

test.each([
  ["as it is", TOKEN],
  ["in a header", `{"authorization":"Bearer ${TOKEN}"}`],
  ["in capitals", TOKEN.toUpperCase()],
  [
    "with its case turned",
    [...TOKEN]
      .map((c) => (c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase()))
      .join(""),
  ],
  ["in base64", base64(TOKEN)],
  ["in base64 behind one byte", base64(`x${TOKEN}`)],
  ["in base64 behind two bytes", base64(`xy${TOKEN}z`)],
  ["in base64 of a header", base64(`Bearer ${TOKEN}`)],
  ["in base64 for URLs", Buffer.from(`user:${TOKEN}`).toString("base64url")],
  ["in hexadecimal", Buffer.from(TOKEN).toString("hex")],
  ["in hexadecimal capitals", Buffer.from(TOKEN).toString("hex").toUpperCase()],
  ["in a URL", encodeURIComponent(TOKEN)],
  [
    "in a URL, every byte",
    [...TOKEN].map((c) => `%${c.charCodeAt(0).toString(16)}`).join(""),
  ],
  ["in JSON in JSON", JSON.stringify(JSON.stringify(TOKEN))],
  ["with slashes escaped", TOKEN.replaceAll("/", "\\/")],
  ["with letters escaped", TOKEN.replaceAll("t", "\\u0074")],
  ["with letters escaped twice", TOKEN.replaceAll("t", "\\\\u0074")],
])("the token %s is taken out", (_how, value) => {
  const source = JSON.stringify({ a: [`before ${value} behind`] });
  const clean = json(source);
  expect(clean).not.toBe(source);
  const [got] = (JSON.parse(clean) as { a: string[] }).a;
  expect(got).toMatch(/^before .*\[redacted\].* behind$/);
  expect(text(value)).toContain("[redacted]");
});

test("a letter of a token that JSON spells as an escape hides nothing", () => {
  const source = `{"a":"${TOKEN.replace("t", "\\u0074").replace("/", "\\/")}"}`;
  expect(JSON.parse(json(source))).toEqual({ a: "[redacted]" });
  const form = `{"a":"\\u0067hp_${GITHUB.slice(4)}"}`;
  expect(JSON.parse(json(form))).toEqual({ a: "[redacted]" });
});

test("a token with quotes and backslashes is found in JSON", () => {
  const odd = 'a"b\\c/d"0123456789';
  const redactor = createRedactor([odd]);
  expect(JSON.parse(redactor.json(JSON.stringify({ a: `x${odd}y` })))).toEqual({
    a: "x[redacted]y",
  });
});

test("names of members are cleaned too, and stay apart", () => {
  expect(
    JSON.parse(json(JSON.stringify({ [TOKEN]: 1, [`${TOKEN}2`]: 2, b: 3 }))),
  ).toEqual({ "[redacted]": 1, "[redacted]2 (2)": 2, b: 3 });
});

test.each([
  ["GitHub", GITHUB],
  ["GitHub behind a line end", `\n${GITHUB}`],
  ["GitHub behind a tab", `a\t${GITHUB}\n`],
  ["GitHub behind a quote", `"${GITHUB}"`],
  ["AWS", "AKIAIOSFODNN7EXAMPLE"],
  ["a JWT", `eyJ${"a".repeat(20)}.eyJ${"b".repeat(20)}.${"c".repeat(20)}`],
  [
    "a private key",
    "-----BEGIN RSA PRIVATE KEY-----\nMIIEow\n-----END RSA PRIVATE KEY-----",
  ],
])("a secret of the form of %s is taken out", (_what, secret) => {
  const clean = (
    JSON.parse(json(JSON.stringify({ a: secret }))) as { a: string }
  ).a;
  expect(clean).toContain("[redacted]");
  expect(clean).not.toContain(secret.trim().slice(8, 20));
});

test.each([
  ["words", "a task-management-system and a disk-image, see risk-0"],
  [
    "a hash",
    "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  ],
  ["a UUID", "123e4567-e89b-12d3-a456-426614174000"],
  ["a URL", "https://example.com/a/b/c?x=1#y"],
  ["numbers", "1234567890123456789"],
  ["a prefix alone", "ghp_ and sk- and eyJ"],
])("%s stay as they are", (_what, value) => {
  const source = JSON.stringify({ a: value, [value]: [1.5, 1e3, null] });
  expect(json(source)).toBe(source);
});

test("pictures keep what looks like a form by chance, but not the token", () => {
  const chance = `${"A".repeat(20)}/AKIAIOSFODNN7EXAMPLE/${"B".repeat(20)}`;
  const picture = { type: "image", data: chance, mimeType: "image/png" };
  expect(JSON.parse(json(JSON.stringify(picture)))).toEqual(picture);
  expect(JSON.parse(json(JSON.stringify({ text: chance })))).not.toEqual({
    text: chance,
  });
  expect(
    json(JSON.stringify({ type: "image", data: base64(`xx${TOKEN}xx`) })),
  ).toContain("[redacted]");
});

test("numbers, blanks and order around a secret stay", () => {
  expect(
    json(`{ "n": 12345678901234567890 , "a": "${GITHUB}", "e":1.50E+2 }`),
  ).toBe('{ "n": 12345678901234567890 , "a": "[redacted]", "e":1.50E+2 }');
});

test("a secret that is split over texts is taken out of both", () => {
  expect(across(["ab tok/live+0123", "=456789.abcDEF cd"])).toEqual([
    "ab [redacted]",
    " cd",
  ]);
  expect(across(["tok/live+", "0123=456", "789.abcDEF"])).toEqual([
    "[redacted]",
    "",
    "",
  ]);
  expect(across(["a", "b"])).toBeNull();
  const verdict = receive(
    roadOf(),
    result({
      content: [
        { type: "text", text: GITHUB.slice(0, 18) },
        { type: "text", text: GITHUB.slice(18) },
      ],
    }),
    exchange("tools/call"),
  );
  expect(
    (passed(verdict) as { result: { content: unknown } }).result.content,
  ).toEqual([
    { type: "text", text: "[redacted]" },
    { type: "text", text: "" },
  ]);
});

test("values that are short stand in ordinary texts by chance", () => {
  expect(createRedactor(["abc", ""]).text("abc")).toBe("abc");
  expect(createRedactor(["abcd"]).text("xabcdx")).toBe("x[redacted]x");
});

test("errors of the server are cleaned as results are", () => {
  const verdict = receive(
    roadOf({ allow: ["read_file"] }, [TOKEN]),
    {
      jsonrpc: "2.0",
      id: 1,
      error: { code: -32000, message: `bad ${TOKEN}`, data: { h: TOKEN } },
    },
    exchange("tools/call"),
  );
  expect(passed(verdict)).toEqual({
    jsonrpc: "2.0",
    id: 1,
    error: {
      code: -32000,
      message: "bad [redacted]",
      data: { h: "[redacted]" },
    },
  });
});
