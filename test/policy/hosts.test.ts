// Hosts in arguments: the many spellings of one, which golden cases would not hold.
import { describe, expect, test } from "vitest";
import { namedHosts } from "../../src/match/named-hosts.ts";
import { judgeIn } from "../support/judge-arguments.ts";

const { rule, judge } = judgeIn({
  project: {
    "fenzi.yaml": `version: 1
mcp:
  web:
    url: https://web.example/mcp
    tools: all
    hosts: { allow: [api.github.com, "*.example.com", 10.1.2.3, "::1"], ports: [443, 80] }
`,
  },
});

test.each([
  "https://api.github.com/x",
  "HTTPS://API.GitHub.com:443/x?y=https%3A%2F%2Fapi.github.com",
  "https://api.github.com./x",
  "https://a.b.example.com/",
  "http://10.1.2.3/",
  "http://0x0a010203/",
  "http://[::1]:80/",
  "//api.github.com/x",
  "api.github.com",
  "api.github.com, a.example.com",
  "api.github.com:443",
  "user@api.github.com:a/b.git",
  "ａｐｉ.github.com",
  "read https://api.github.com/ and then say e.g. Node.js",
  "no host in here",
  "a/b/c",
  "12",
  "",
  "mailto:somebody",
  "file:///x",
])("%j is allowed", (url) => {
  expect(rule("get", { url })).toBe("allow");
});

test.each([
  "https://evil.example/",
  "https://example.com/",
  "https://badexample.com/",
  "https://api.github.com.evil.example/",
  "https://api.github.com@evil.example/",
  "https://api.github.com:443@evil.example/",
  "https://api.github.com\\@evil.example/",
  "https://api.github.com /@evil.example/ https://evil.example",
  'https://api.github.com"@evil.example/',
  "https://api.github.com @evil.example/",
  "https://api.github.com%2f@evil.example/",
  "https://%65vil.example/",
  "https://evil。example/",
  "https://ｅｖｉｌ．example/",
  "https:evil.example",
  "https:/evil.example",
  "https:\\\\evil.example",
  "ht\ntps://evil.example",
  "https:\n//evil.example",
  "https://api.github.com\n.evil.example/",
  "ws://evil.example",
  "ftp://evil.example/x",
  "redis://evil.example:6379",
  "jdbc:postgresql://evil.example/x",
  "git+ssh://git@evil.example/x",
  "git@evil.example:x/y.git",
  "//evil.example/x",
  "\\\\evil.example\\share",
  "evil.example",
  "EVIL.EXAMPLE.",
  "evil%2eexample",
  "evil.example:443",
  "localhost",
  "localhost:80",
  "intranet:80",
  "127.0.0.1",
  "127.1",
  "0x7f.1",
  "0177.0.0.1",
  "017700000001",
  "0x7f000001",
  "2130706433",
  "http://2130706433/",
  "http://127.1/",
  "[::ffff:7f00:1]",
  "::ffff:127.0.0.1",
  "http://[::ffff:10.1.2.4]/",
  "http://[fe80::1%25eth0]/",
  "x=https://evil.example/",
  "https%3A%2F%2Fevil.example%2F",
  "https%253a//evil.example",
  "see https://api.github.com/ and https://evil.example/",
  `evil.example/${"x".repeat(2_000)}`,
])("%j is refused", (url) => {
  expect(rule("get", { url })).toBe("hosts.allow");
  expect(rule("get", { deep: [{ [url]: 1 }] })).toBe("hosts.allow");
});

test.each([
  "https://api.github.com:8443/",
  "https://api.github.com:22",
  "api.github.com:22",
  "ssh://api.github.com/x",
  "gopher://api.github.com/",
])("%j has another port", (url) => {
  expect(rule("get", { url })).toBe("hosts.ports");
});

test("the reason names what is allowed, and not the host", () => {
  const [reason] = judge("get", { url: "https://evil.example/" }).reasons;
  expect(reason.message).toContain("allowed: `api.github.com`");
  expect(reason.message).not.toContain("evil");
  expect(reason.origin.at.start.line).toBe(6);
});

describe("without `hosts`", () => {
  test("any host may be named", () => {
    const { rule } = judgeIn({
      project: {
        "fenzi.yaml":
          'version: 1\nmcp:\n  web: { url: "https://w.example/mcp", tools: all }\n',
      },
    });
    expect(rule("get", { url: "https://evil.example/" })).toBe("allow");
  });
});

test.each([
  ["slashes", "/".repeat(1_000_000)],
  ["colons", "a:".repeat(500_000)],
  ["schemes", "http:".repeat(200_000)],
  ["letters", "a".repeat(1_000_000)],
  ["dots", "a.".repeat(500_000)],
  ["signs", "http://a@".repeat(100_000)],
  ["percent signs", "%25".repeat(300_000)],
  ["numbers", "1.".repeat(500_000)],
])("a long text of %s is read at once", (_, text) => {
  const before = performance.now();
  namedHosts(text);
  expect(performance.now() - before).toBeLessThan(5_000);
});
