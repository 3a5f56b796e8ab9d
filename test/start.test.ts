// How the built program starts, whatever lies beside it: not for the golden cases, which run the sources in-process.
import { spawnSync } from "node:child_process";
import {
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Script } from "node:vm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { VERSION } from "../src/version.ts";
import { ROOT } from "./support/source-imports.ts";

// A folder with a blank in its path, as people have.
const root = mkdtempSync(join(tmpdir(), "fenzi built "));
const kept = join(root, "program.v8");
const file = join(root, "program.cjs");

beforeAll(() => {
  const built = spawnSync(process.execPath, ["scripts/build.mjs", root], {
    cwd: ROOT,
    encoding: "utf8",
  });
  expect(built.stderr).toBe("");
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const version = () => {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, "cli.cjs"), "--version"],
    { encoding: "utf8" },
  );
  return stdout + stderr;
};

test("takes what was compiled when it was built", () => {
  const program = new Script(readFileSync(file, "latin1"), {
    filename: file,
    cachedData: readFileSync(kept),
  });
  expect(program.cachedDataRejected).toBe(false);
  expect(version()).toBe(`${VERSION}\n`);
});

test("holds nothing that it does not need", () => {
  const text = readFileSync(file, "latin1");
  expect(text).not.toMatch(/[^\x00-\x7f]/);
  // Another language's words would mean that all fifty of zod's came along.
  expect(text).not.toContain("Entr\\xE9e invalide");
  expect(text).not.toContain("iconv");
  expect(text.length).toBeLessThan(700_000);
});

test("starts without it, with half of it, and with something else", () => {
  truncateSync(kept, 100_000);
  expect(version()).toBe(`${VERSION}\n`);
  writeFileSync(kept, "not compiled code");
  expect(version()).toBe(`${VERSION}\n`);
  rmSync(kept);
  expect(version()).toBe(`${VERSION}\n`);
});

test("a reader that goes away is no crash", () => {
  const { stderr } = spawnSync(
    "sh",
    ["-c", `"$0" "$1" --help | true`, process.execPath, join(root, "cli.cjs")],
    { encoding: "utf8" },
  );
  expect(stderr).toBe("");
});
