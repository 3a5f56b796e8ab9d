// Needs links, pipes and modes that a golden folder cannot hold.
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { loadProject } from "../../src/compile.ts";
import { testHost, type TestHost } from "../support/test-host.ts";

const GOOD = "version: 1\n";
const codes = (host: TestHost) =>
  loadProject(host).diagnostics.map((d) => d.code);
const at = (host: TestHost) => join(host.cwd, "fenzi.yaml");

describe("fenzi.yaml is", () => {
  test("read through a link that stays in its folder", () => {
    const host = testHost({ project: { "real.yaml": GOOD } });
    symlinkSync("real.yaml", at(host));
    expect(codes(host)).toEqual([]);
  });
  test.each([["../outside.yaml"], ["/etc/hostname"], ["/proc/self/environ"]])(
    "refused through a link to %s",
    (target) => {
      const host = testHost();
      writeFileSync(join(host.root, "outside.yaml"), GOOD);
      symlinkSync(target, at(host));
      expect(codes(host)).toEqual(["read/link-leaves-folder"]);
    },
  );
  test("refused as a link in a circle, or to nothing", () => {
    const circle = testHost();
    symlinkSync("fenzi.yaml", at(circle));
    expect(codes(circle)).toEqual(["read/not-readable"]);
    const nothing = testHost();
    symlinkSync("gone.yaml", at(nothing));
    expect(codes(nothing)).toEqual(["read/not-readable"]);
  });
  test("refused as a folder or a pipe, without waiting", () => {
    const folder = testHost();
    mkdirSync(at(folder));
    expect(codes(folder)).toEqual(["read/not-a-file"]);
    const pipe = testHost();
    execFileSync("mkfifo", [at(pipe)]);
    expect(codes(pipe)).toEqual(["read/not-a-file"]);
  });
  test("refused when larger than 1 MiB, and read at 1 MiB", () => {
    const most = testHost({
      project: {
        "fenzi.yaml": `${GOOD}#${"x".repeat(1024 * 1024 - GOOD.length - 1)}`,
      },
    });
    expect(codes(most)).toEqual([]);
    writeFileSync(at(most), `${GOOD}#${"x".repeat(1024 * 1024 - GOOD.length)}`);
    expect(codes(most)).toEqual(["read/too-large"]);
  });
  test("refused when it is not UTF-8", () => {
    const host = testHost();
    writeFileSync(at(host), Buffer.from([0x61, 0x3a, 0x20, 0xff, 0xfe]));
    expect(codes(host)).toEqual(["read/not-utf8"]);
  });
});

describe("the machine file is", () => {
  test.each([[0o620], [0o602], [0o666]])("refused with mode %o", (mode) => {
    const host = testHost({ machine: GOOD });
    chmodSync(join(host.home, ".config/fenzi/mcp.yaml"), mode);
    expect(codes(host)).toEqual(["read/others-may-write"]);
  });
  test("refused in a folder that others may write", () => {
    const host = testHost({ machine: GOOD });
    chmodSync(join(host.home, ".config/fenzi"), 0o777);
    expect(codes(host)).toEqual(["read/others-may-write"]);
  });
});

describe("the repository", () => {
  const entry = (tools: string) =>
    `${GOOD}mcp:\n  a: { tools: { allow: [${tools}] } }\n`;
  const root = `${GOOD}mcp:\n  a: { url: "https://a.example/", tools: { allow: [x, y, z] } }\n`;
  test("gives every fenzi.yaml between its root and the current folder a say", () => {
    const host = testHost({
      project: {
        "fenzi.yaml": root,
        "one/fenzi.yaml": entry("x, y"),
        "one/two/fenzi.yaml": entry("y, z"),
        "other/fenzi.yaml": "broken: [",
      },
      cwd: "one/two/three",
    });
    const { model, found } = loadProject(host);
    expect(found.project).toBe(join(host.root, "project/one/two"));
    expect(model?.servers[0]?.tools.map((t) => t.layer)).toEqual([
      "root",
      "root",
      "project",
    ]);
  });
  test("ends at the folder with .git, and without one nothing above counts", () => {
    const host = testHost({
      project: {
        "fenzi.yaml": "broken: [",
        "inner/.git": "gitdir: elsewhere",
        "inner/sub/x": "",
      },
      cwd: "inner/sub",
    });
    expect(codes(host)).toEqual([]);
  });
});
