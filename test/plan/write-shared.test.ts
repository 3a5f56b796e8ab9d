// Writing several files together: all or none. A failure at the right moment cannot be shown from the command line.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Host } from "../../src/host/host.ts";
import { nodeHost } from "../../src/host/node-host.ts";
import type { SharedChange } from "../../src/plan/plan-shared.ts";
import { writeShared } from "../../src/plan/write-shared.ts";

const folder = () => mkdtempSync(join(tmpdir(), "fenzi-test-"));
const host = nodeHost();

/** A host whose file of that path cannot be written; `more` runs just before it fails. */
const failingAt = (path: string, more: () => void = () => {}): Host => ({
  ...host,
  cwd: "/",
  home: "/",
  files: {
    ...host.files,
    writeAtomic(to, text, mode) {
      if (to === path) {
        more();
        throw Object.assign(new Error("full"), { code: "ENOSPC" });
      }
      host.files.writeAtomic(to, text, mode);
    },
  },
});

const change = (
  path: string,
  before: string | null,
  text: string | null,
  made: string | null = null,
): SharedChange => ({
  path,
  before,
  text,
  change: before === null ? "create" : text === null ? "delete" : "update",
  view: { before: "", after: "" },
  records: [],
  record: null,
  folder: made,
});

test("a failure puts back what was written: changed, made and deleted files", () => {
  const at = folder();
  const [changed, deleted, last] = ["a", "b", "z"].map((n) => join(at, n));
  const made = join(at, ".new", "c");
  writeFileSync(changed ?? "", "theirs");
  chmodSync(changed ?? "", 0o640);
  writeFileSync(deleted ?? "", "kept");
  const written = writeShared(failingAt(last ?? ""), [
    change(changed ?? "", "theirs", "ours"),
    change(deleted ?? "", "kept", null),
    change(made, null, "ours", join(at, ".new")),
    change(last ?? "", null, "ours"),
  ]);
  expect(written).toMatchObject({ code: "write/not-writable" });
  expect(readFileSync(changed ?? "", "utf8")).toBe("theirs");
  expect(readFileSync(deleted ?? "", "utf8")).toBe("kept");
  expect(existsSync(join(at, ".new"))).toBe(false);
  expect(existsSync(last ?? "")).toBe(false);
});

test("what somebody writes meanwhile is never put back over, and it is said which file stays", () => {
  const at = folder();
  const [first, last] = [join(at, "a"), join(at, "z")];
  writeFileSync(first, "theirs");
  const written = writeShared(
    failingAt(last, () => writeFileSync(first, "newer")),
    [change(first, "theirs", "ours"), change(last, null, "ours")],
  );
  expect(written).toMatchObject({
    code: "apply/half-written",
    message: `\`${first}\` is written and could not be put back, \`${last}\` is not written`,
  });
  expect(readFileSync(first, "utf8")).toBe("newer");
});

test("nothing is written when one file is not as it was read, or became a link", () => {
  const at = folder();
  const [first, second] = [join(at, "a"), join(at, "b")];
  writeFileSync(second, "newer");
  const changes = [change(first, null, "ours"), change(second, "old", "ours")];
  expect(writeShared(host, changes)).toBe("changed-meanwhile");
  expect(existsSync(first)).toBe(false);
});

test("a folder that was made goes with its file, unless something else is in it", () => {
  const at = folder();
  const [empty, used] = [join(at, "e"), join(at, "u")];
  for (const each of [empty, used]) {
    mkdirSync(each);
    writeFileSync(join(each, "f"), "ours");
  }
  writeFileSync(join(used, "mine"), "");
  expect(
    writeShared(
      host,
      [empty, used].map((each) => change(join(each, "f"), "ours", null, each)),
    ),
  ).toBe("written");
  expect([empty, used].map((each) => existsSync(each))).toEqual([false, true]);
});
