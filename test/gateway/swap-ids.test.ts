// Unit test of the texts: that clients stay apart is shown in apart.test.ts with a real gateway.
import { expect, test } from "vitest";
import {
  makeSwap,
  swapBack,
  swapCancelled,
  swapOut,
} from "../../src/gateway/swap-ids.ts";

const swap = makeSwap(
  {
    id: "1",
    method: "tools/call",
    tool: "x",
    era: "legacy",
    progressToken: '"t"',
    cursor: null,
  },
  "u",
);
const bytes = (text: string) => new TextEncoder().encode(text);
const text = (out: Uint8Array) => new TextDecoder().decode(out);

test("a request goes out under its own id and token, and nothing else changes", () => {
  expect(
    text(
      swapOut(
        bytes(
          '{"id": 1,"params":{"_meta":{"progressToken":"t"},"arguments":{"id":1.0}}}',
        ),
        swap,
      ),
    ),
  ).toBe(
    '{"id": "u","params":{"_meta":{"progressToken":"u"},"arguments":{"id":1.0}}}',
  );
  expect(text(swapCancelled(bytes('{"params":{"requestId":1}}'), swap))).toBe(
    '{"params":{"requestId":"u"}}',
  );
});

test.each([
  ['{"id":"u","result":{}}', '{"id":1,"result":{}}'],
  [
    '{"method":"notifications/progress","params":{"progressToken":"u"}}',
    '{"method":"notifications/progress","params":{"progressToken":"t"}}',
  ],
  [
    '{"method":"x","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"u"}}}',
    '{"method":"x","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":1}}}',
  ],
  ['{"id":1,"method":"ping"}', '{"id":1,"method":"ping"}'],
  ['{"id":2,"result":{}}', '{"id":2,"result":{}}'],
  ["{oops", "{oops"],
])("%s comes back as %s", (came, given) => {
  expect(swapBack(came, [swap])).toBe(given);
});

test.each([
  '{"id":1,"result":{}}',
  '{"method":"notifications/progress","params":{"progressToken":"t"}}',
])("%s is meant for somebody else", (came) => {
  expect(swapBack(came, [swap])).toBeNull();
});
