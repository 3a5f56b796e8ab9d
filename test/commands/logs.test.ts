// `fenzi logs` with a log that is written to meanwhile, which no golden case can hold.
import { afterEach, expect, test, vi } from "vitest";
import { openSink } from "../../src/audit/sink.ts";
import { logFolder } from "../../src/commands/log-folder.ts";
import type { CallRecord } from "../../src/enforce/record.ts";
import type { Host } from "../../src/host/host.ts";
import { main } from "../../src/main.ts";
import { documentProblems } from "../support/check-document.ts";
import { testHost } from "../support/test-host.ts";

afterEach(() => vi.unstubAllEnvs());

const AT = Date.parse("2026-11-30T13:33:48.250Z");
const record = (
  server: string,
  tool: string,
  effect: CallRecord["effect"] = "allow",
): CallRecord => ({
  server,
  effect,
  http: `POST ${server}.example/mcp`,
  method: "tools/call",
  tool,
  arguments: ["path"],
  reason: "words (/p/fenzi.yaml:3:5)",
  rule: effect === "allow" ? "tools.allow" : "tools.deny",
  bytes: 90,
});

const openLog = (host: Host) => {
  const sink = openSink(
    { ...host, now: () => AT },
    { folder: logFolder(host), run: "r1" },
  ).value;
  if (sink === null) throw new Error("no log");
  return (...all: readonly CallRecord[]) => {
    for (const one of all) sink.write(one, { agent: "codex", milliseconds: 1 });
  };
};
const THREE = [
  record("a", "read"),
  record("a", "drop", "deny"),
  record("b", "drop", "deny"),
];

test("all, those of a server, and those that were refused", async () => {
  vi.stubEnv("TZ", "UTC");
  const host = testHost();
  openLog(host)(...THREE);
  expect(await main(["logs"], host)).toBe(0);
  expect(host.out()).toBe(
    "13:33:48  allowed  POST a.example/mcp tools/call read\n" +
      "13:33:48  denied   POST a.example/mcp tools/call drop  tools.deny: words (/p/fenzi.yaml:3:5)\n" +
      "13:33:48  denied   POST b.example/mcp tools/call drop  tools.deny: words (/p/fenzi.yaml:3:5)\n",
  );
  const chosen = testHost({ root: host.root });
  expect(await main(["logs", "--denied", "--server", "a"], chosen)).toBe(0);
  expect(chosen.out().split("\n")).toHaveLength(2);
  expect(chosen.out()).toContain("POST a.example/mcp tools/call drop");
});

test("what a server said beside the protocol is no call that was refused", async () => {
  vi.stubEnv("TZ", "UTC");
  const host = testHost();
  openLog(host)({
    ...record("a", "", "deny"),
    http: null,
    method: null,
    tool: null,
    rule: "stderr",
    reason: "the server says: boom",
  });
  expect(await main(["logs"], host)).toBe(0);
  expect(host.out()).toBe("13:33:48  server   a  the server says: boom\n");
  const denied = testHost({ root: host.root });
  expect(await main(["logs", "--denied"], denied)).toBe(0);
  expect([denied.out(), denied.err()]).toEqual([
    "",
    "the log has no such call\n",
  ]);
});

test("`--json` prints rows as the published schema says", async () => {
  const host = testHost();
  openLog(host)(...THREE);
  expect(await main(["logs", "--json"], host)).toBe(0);
  expect(host.out().trimEnd().split("\n")).toHaveLength(3);
  expect(documentProblems(["logs"], host.out())).toEqual([]);
});

test("no log is no problem, and is said", async () => {
  const host = testHost();
  expect(await main(["logs"], host)).toBe(0);
  expect([host.out(), host.err()]).toEqual([
    "",
    "the log is empty: `fenzi gateway` and `fenzi guard` write it\n",
  ]);
});

test("`-f` shows what is added, and ends when nobody reads on", async () => {
  const host = testHost();
  const add = openLog(host);
  add(record("a", "first"));
  let looks = 0;
  const following: Host = {
    ...host,
    sleep: async () => {
      if (++looks === 2) add(record("a", "second"), record("a", "third"));
    },
    stdout: { ...host.stdout, isGone: () => looks === 4 },
  };
  expect(await main(["logs", "-f", "--json"], following)).toBe(0);
  expect(
    host
      .out()
      .trimEnd()
      .split("\n")
      .map((line) => (JSON.parse(line) as CallRecord).tool),
  ).toEqual(["first", "second", "third"]);
});
