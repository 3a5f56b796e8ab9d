// Needs real files, a second writer and `kill -9`; a golden case cannot hold them.
import { spawn } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
  chmodSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { describe, expect, test } from "vitest";
import { nodeHost } from "../../src/host/node-host.ts";
import { planFolder } from "../../src/plan/plan.ts";
import { writeChange, writePlan } from "../../src/plan/write.ts";

const host = nodeHost();
const fresh = () => realpathSync(mkdtempSync(join(tmpdir(), "fenzi write ü ")));
const emission = (files: Readonly<Record<string, string>>) => ({
  files: Object.entries(files).map(([path, text]) => ({ path, text })),
  folders: [],
  launch: { argv: ["x"], env: {}, needs: [], cwd: "/" },
  diagnostics: [],
});
const plan = (
  folder: string,
  files: Readonly<Record<string, string>>,
  extra: { reads?: string[]; owned?: string[] } = {},
) =>
  planFolder(host, {
    agent: "a",
    folder,
    emission: emission(files),
    ownFolders: [],
    reads: extra.reads ?? [],
    owned: extra.owned ?? [],
  });

describe("a compiled folder", () => {
  test("is made private, and a second plan is empty", () => {
    const folder = join(fresh(), "deep/er");
    const first = plan(folder, { "a.json": "1", "sub/b.toml": "2" });
    expect(first.value?.changes.map((c) => c.change)).toEqual([
      "create",
      "create",
    ]);
    expect(first.value && writePlan(host, first.value)).toBe("written");
    expect(statSync(join(folder, "a.json")).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(
      plan(folder, { "a.json": "1", "sub/b.toml": "2" }).value?.changes.map(
        (c) => c.change,
      ),
    ).toEqual(["same", "same"]);
  });
  test("loses what is no longer emitted and keeps what the agent wrote", () => {
    const folder = fresh();
    writeFileSync(join(folder, "old.json"), "1");
    writeFileSync(join(folder, "session.log"), "mine");
    const found = plan(
      folder,
      { "a.json": "1" },
      { owned: ["old.json", "never-written.json"] },
    );
    expect(found.value && writePlan(host, found.value)).toBe("written");
    expect(readdirSync(folder).sort()).toEqual(["a.json", "session.log"]);
  });
  test("with a file that the agent would read is refused", () => {
    const folder = fresh();
    writeFileSync(join(folder, "hooks.json"), "{}");
    expect(
      plan(
        folder,
        { "a.json": "1" },
        { reads: ["hooks.json"] },
      ).diagnostics.map((d) => d.code),
    ).toEqual(["plan/foreign-file"]);
  });
  test.each([
    ["a file", "a.json"],
    ["a folder above it", "sub"],
  ])("with a link in place of %s is refused", (_why, name) => {
    const folder = fresh();
    const elsewhere = fresh();
    symlinkSync(elsewhere, join(folder, name));
    expect(
      plan(folder, { "a.json": "1", "sub/b": "2" }).diagnostics.map(
        (d) => d.code,
      ),
    ).toEqual(["plan/path-outside"]);
  });
  test("with a folder in place of a file is refused", () => {
    const folder = fresh();
    mkdirSync(join(folder, "a.json"));
    expect(
      plan(folder, { "a.json": "1" }).diagnostics.map((d) => d.code),
    ).toEqual(["write/not-writable"]);
  });
});

describe("a single file", () => {
  test("that changed since it was read is not overwritten", () => {
    const file = join(fresh(), "f");
    writeFileSync(file, "theirs");
    expect(
      writeChange(host, { path: file, before: "what I read", text: "mine" }),
    ).toBe("changed-meanwhile");
    expect(writeChange(host, { path: file, before: null, text: "mine" })).toBe(
      "changed-meanwhile",
    );
    expect(readFileSync(file, "utf8")).toBe("theirs");
  });
  test("keeps its mode and its byte order mark", () => {
    const file = join(fresh(), "f");
    writeFileSync(file, "\uFEFFa\r\n");
    chmodSync(file, 0o640);
    expect(
      writeChange(host, {
        path: file,
        before: "\uFEFFa\r\n",
        text: "\uFEFFb\r\n",
      }),
    ).toBe("written");
    expect(statSync(file).mode & 0o777).toBe(0o640);
    expect(readFileSync(file, "utf8")).toBe("\uFEFFb\r\n");
  });
  test("in a place that cannot be written is a diagnostic with the reason", () => {
    const file = join(fresh(), "f");
    writeFileSync(file, "x");
    const written = writeChange(host, {
      path: join(file, "below"),
      before: null,
      text: "y",
    });
    expect(written).toMatchObject({ code: "write/not-writable" });
  });
});

test("kill -9 at any moment leaves the old or the new text, whole", async () => {
  const folder = fresh();
  const file = join(folder, "f");
  const texts = ["a", "b"].map((c) => c.repeat(300_000));
  writeFileSync(file, texts[0] ?? "");
  const script = join(folder, "writer.mjs");
  await build({
    stdin: {
      contents: `import { nodeHost } from "./src/host/node-host.ts";
        const { files } = nodeHost();
        const texts = ["a", "b"].map((c) => c.repeat(300000));
        process.stdout.write("go");
        for (let i = 0; ; i++) files.writeAtomic(${JSON.stringify(file)}, texts[i % 2], 0o600);`,
      resolveDir: process.cwd(),
      loader: "ts",
    },
    bundle: true,
    platform: "node",
    format: "esm",
    outfile: script,
    logLevel: "silent",
    external: ["@inquirer/prompts"],
  });
  for (let round = 0; round < 12; round++) {
    const child = spawn(process.execPath, [script], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    await new Promise((resolve) => child.stdout.once("data", resolve));
    await new Promise((resolve) => setTimeout(resolve, round * 3));
    const gone = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await gone;
    expect(texts.includes(readFileSync(file, "utf8"))).toBe(true);
  }
});
