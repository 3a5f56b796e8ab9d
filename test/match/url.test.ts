// Unit tests: one line for each spelling of an address.
import { describe, expect, test } from "vitest";
import { hostKey, parseServerUrl } from "../../src/match/url.ts";

const url = (text: string) => {
  const found = parseServerUrl(text);
  return "value" in found ? found.value : null;
};

describe("accepted, in one spelling", () => {
  test.each([
    ["https://a.example/mcp", "https://a.example/mcp"],
    ["HTTPS://A.Example/mcp", "https://a.example/mcp"],
    ["https://a.example", "https://a.example/"],
    ["https://a.example:443/mcp", "https://a.example/mcp"],
    [
      "https://a.example:8443/mcp?x=1&y=%20",
      "https://a.example:8443/mcp?x=1&y=%20",
    ],
    ["https://bücher.example/mcp", "https://xn--bcher-kva.example/mcp"],
    ["https://xn--bcher-kva.example/mcp", "https://xn--bcher-kva.example/mcp"],
    ["http://localhost:3000/mcp", "http://localhost:3000/mcp"],
    ["http://127.0.0.1:80/", "http://127.0.0.1/"],
    ["http://127.8.8.8/mcp", "http://127.8.8.8/mcp"],
    ["http://[::1]:8080/mcp", "http://[::1]:8080/mcp"],
    ["https://10.0.0.5/mcp", "https://10.0.0.5/mcp"],
    ["https://[2001:db8::1]/mcp", "https://[2001:db8::1]/mcp"],
    ["https://a.example/a%2Fb", "https://a.example/a%2Fb"],
    ["https://a_b.example/mcp", "https://a_b.example/mcp"],
  ])("%s", (text, wanted) => expect(url(text)?.url).toBe(wanted));
});

describe("refused", () => {
  test.each([
    "",
    "mcp",
    "//a.example/mcp",
    "https:a.example",
    "https:/a.example",
    "https:///mcp",
    "https://",
    "a.example:443/mcp",
    "ftp://a.example/",
    "ws://a.example/",
    "javascript:alert(1)",
    "http://a.example/mcp",
    "http://10.0.0.5/mcp",
    "http://localhost./mcp",
    "http://x.localhost.evil.example/",
    "https://user@a.example/",
    "https://u:p@a.example/",
    "https://@a.example/",
    "https://a.example/#x",
    "https://a.example/mcp#",
    "https://a.example/a/../b",
    "https://a.example/./b",
    "https://a.example/%2e%2e/b",
    "https://a.example\\mcp",
    "https://a.example/a\\b",
    " https://a.example/",
    "https://a.example/ ",
    "https://a.example/a b",
    "https://a.example/\n",
    "https://a.example:0/",
    "https://a.example:065/",
    "https://a.example:99999/",
    "https://a.example:/",
    "https://a.example:80x/",
    "https://2130706433/",
    "https://0x7f000001/",
    "https://0177.0.0.1/",
    "https://127.1/",
    "https://127.0.0.1./",
    "https://0.0.0.0/",
    "https://[::]/",
    "https://[0:0:0:0:0:0:0:1]/",
    "https://[::ffff:127.0.0.1]/",
    "https://[fe80::1]/",
    "https://[fe80::1%25eth0]/",
    "https://169.254.1.1/",
    "https://169.254.169.254/",
    "https://[::ffff:a9fe:a9fe]/",
    "https://[fd00:ec2::254]/",
    "https://metadata.google.internal/",
    "https://100.100.100.200/",
    "https://224.0.0.1/",
    "https://255.255.255.255/",
    "https://[ff02::1]/",
    "https://[64:ff9b::a9fe:a9fe]/",
    "https://a.example./",
    "https://%61.example/",
    "https://１２７.0.0.1/",
    "https://a。example/",
    "https://ａ.example/",
    "https://a..example/é",
    "https://s.example/mcp?token=${T}",
    "https://${HOST}/mcp",
  ])("%s", (text) => expect(url(text)).toBe(null));
});

test("all spellings of this machine are one host", () => {
  const keys = [
    "http://localhost:1/a",
    "http://127.0.0.1:1/b",
    "http://127.9.9.9:1/",
    "http://[::1]:1/",
  ].map((text) => {
    const found = url(text);
    return found === null ? "refused" : hostKey(found);
  });
  expect(new Set(keys)).toEqual(new Set(["loopback:1"]));
});

test.each([
  ["https://10.1.2.3/a", "https://[::ffff:a01:203]/b"],
  ["https://10.1.2.3/a", "https://[64:ff9b::a01:203]/b"],
  ["http://localhost:8443/a", "https://app.localhost:8443/b"],
])("%s and %s are one host", (one, other) => {
  const key = (text: string) => {
    const found = url(text);
    return found === null ? "refused" : hostKey(found);
  };
  expect(key(one)).toBe(key(other));
  expect(key(one)).not.toBe("refused");
});
