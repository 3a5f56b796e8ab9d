// Event streams in every way that bytes can arrive.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  createEventParser,
  formatEvent,
  type StreamEvent,
} from "../../src/enforce/event-stream.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const parse = (chunks: readonly Uint8Array[], max = 1_000_000) => {
  const parser = createEventParser(max);
  const events = chunks.flatMap((chunk) => [...parser.push(chunk)]);
  return { events, problem: parser.problem() };
};
const dataOf = (text: string) =>
  parse([bytes(text)]).events.map((event) => event.data);

test.each([
  ["LF", "event: message\ndata: a\n\n", ["a"]],
  ["CRLF", "event: message\r\ndata: a\r\n\r\n", ["a"]],
  ["CR", "data: a\rdata: b\r\r", ["a\nb"]],
  ["mixed ends", "data: a\r\n\rdata: b\n\r\n", ["a", "b"]],
  [
    "several lines of data",
    "data: a\ndata:b\ndata:\ndata:  c\n\n",
    ["a\nb\n\n c"],
  ],
  ["a byte order mark", "\ufeffdata: a\n\n", ["a"]],
  ["a byte order mark later", "data: a\n\n\ufeffdata: b\n\n", ["a"]],
  ["comments", ": hi\n\n:\r\n\r\ndata: a\n:x\n\n", ["a"]],
  ["unknown fields", "foo: x\ndata: a\nbar\n\n", ["a"]],
  ["a field without a colon", "data\n\n", [""]],
  ["an event that is not ended", "data: a\n", []],
  ["a line that is not ended", "data: a\n\ndata: b", ["a"]],
  ["blank lines", "\n\n\ndata: a\n\n\n", ["a"]],
  ["nothing", "", []],
])("%s", (_what, text, wanted) => {
  expect(dataOf(text)).toEqual(wanted);
});

test("id, retry and the name of an event", () => {
  const [event] = parse([
    bytes("id: 7\nretry: 500\nevent: tools\ndata: a\n\n"),
  ]).events;
  expect(event).toEqual({ data: "a", event: "tools", id: "7", retry: 500 });
  const odd = (text: string) => parse([bytes(`${text}\n\n`)]).events[0];
  expect(odd("id: a\0b\ndata: x")?.id).toBeNull();
  expect(odd("retry: 0")?.retry).toBe(100);
  expect(odd("retry: 99999999999")?.retry).toBe(60_000);
  expect(odd("retry: -1\ndata: x")?.retry).toBeNull();
  expect(odd("event: message\ndata: x")?.event).toBeNull();
  expect(odd("id: 7\ndata:")).toEqual({
    data: "",
    event: null,
    id: "7",
    retry: null,
  });
});

test("it does not matter where the bytes are cut", () => {
  const text =
    '\ufeffid: 1\r\ndata: æœ¬ 日本\rdata: b\n\r\n: c\r\n\r\ndata: {"a":"\u{1f600}"}\r\rdata: z\n\n';
  const whole = parse([bytes(text)]).events;
  expect(whole.map((e) => e.data)).toEqual([
    "æœ¬ 日本\nb",
    '{"a":"\u{1f600}"}',
    "z",
  ]);
  const all = bytes(text);
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: all.length }), { maxLength: 12 }),
      (cuts) => {
        const at = [0, ...cuts.sort((a, b) => a - b), all.length];
        const chunks = at.slice(1).map((to, i) => all.slice(at[i], to));
        expect(parse(chunks).events).toEqual(whole);
      },
    ),
    { numRuns: 500 },
  );
  expect(parse([...all].map((b) => Uint8Array.of(b))).events).toEqual(whole);
});

test("a chunk may be used again by whoever gave it", () => {
  const parser = createEventParser(1_000);
  const chunk = Buffer.from("data: abc");
  parser.push(chunk);
  chunk.fill(0x78);
  expect(parser.push(bytes("d\n\n"))[0]?.data).toBe("abcd");
});

test("an event has a largest size, whatever it is made of", () => {
  expect(parse([bytes(`data: ${"a".repeat(200)}\n\n`)], 100).problem).toBe(
    "too-large",
  );
  expect(parse([bytes("data: x\n".repeat(50))], 100).problem).toBe("too-large");
  expect(parse([bytes("\r\n:".repeat(500))], 100).problem).toBeNull();
  expect(parse([bytes(`:${"a".repeat(200)}`)], 100).problem).toBe("too-large");
  const many = parse([bytes("data: x\n\n".repeat(500))], 100);
  expect(many.problem).toBeNull();
  expect(many.events).toHaveLength(500);
});

test("after a problem nothing more is read", () => {
  const parser = createEventParser(1_000);
  expect(parser.push(Uint8Array.of(0x64, 0xff, 0x0a))).toEqual([]);
  expect(parser.problem()).toBe("not-utf8");
  expect(parser.push(bytes("data: a\n\n"))).toEqual([]);
});

test("an event is written in one form, which is read again", () => {
  expect(formatEvent({ data: "a", id: null, retry: null })).toBe(
    "event: message\ndata: a\n\n",
  );
  fc.assert(
    fc.property(
      fc.string().map((s) => s.replace(/\r/g, "")),
      (data) => {
        const event: StreamEvent = { data, event: null, id: "9", retry: 200 };
        expect(parse([bytes(formatEvent(event))]).events).toEqual([event]);
      },
    ),
  );
});
