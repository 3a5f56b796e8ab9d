// What the real file system does in places that a case cannot hold: time, `/proc`, what a killed process left.
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { nodeHost } from "../../src/host/node-host.ts";

const { files } = nodeHost();
const fresh = () => realpathSync(mkdtempSync(join(tmpdir(), "fenzi-host-")));

test("a write takes away what a killed one left here, and nothing else", () => {
  const folder = fresh();
  const names = [
    ".fenzi-0123456789ab.tmp",
    ".fenzi-aaaaaaaaaaaa.tmp",
    ".fenzi-mine.tmp",
    "0123456789ab.tmp",
  ];
  for (const name of names) writeFileSync(join(folder, name), "");
  const longAgo = Date.now() / 1000 - 3600;
  for (const name of names.filter((n) => n !== ".fenzi-aaaaaaaaaaaa.tmp"))
    utimesSync(join(folder, name), longAgo, longAgo);
  files.writeAtomic(join(folder, "f"), "text", 0o600);
  expect(readdirSync(folder).sort()).toEqual([...names.slice(1), "f"].sort());
});

test("folders are made with their parents, or it is said why not", () => {
  const folder = fresh();
  files.makeFolder(join(folder, "a/b"), 0o700);
  files.makeFolder(join(folder, "a/b"), 0o700);
  expect(statSync(join(folder, "a/b")).mode & 0o777).toBe(0o700);
  writeFileSync(join(folder, "file"), "");
  expect(() => files.makeFolder(join(folder, "file"), 0o700)).toThrow("EEXIST");
  expect(() => files.makeFolder(join(folder, "file/x/y"), 0o700)).toThrow(
    "ENOTDIR",
  );
});

test.skipIf(!existsSync("/proc/self"))(
  "where nothing can be made, trying comes to an end",
  () => {
    expect(() => files.makeFolder("/proc/self/x/y", 0o700)).toThrow("ENOENT");
  },
);
