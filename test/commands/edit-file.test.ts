// Trust, and two writers at once: what a golden case cannot hold still.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadProject } from "../../src/compile.ts";
import { editFile } from "../../src/commands/edit-file.ts";
import { untrustedFiles } from "../../src/commands/trust-gate.ts";
import { setServer } from "../../src/format/yaml-edit.ts";
import { testHost, type TestHost } from "../support/test-host.ts";
import { run } from "./run.ts";

const ONE = `version: 1\nmcp:\n  a:\n    command: [x]\n`;
const NARROW = `version: 1\nmcp:\n  corp:\n    tools: { deny: [b] }\n`;
const MACHINE = `version: 1\nmcp:\n  corp:\n    url: https://corp.example/mcp\n    tools: all\n`;
const add = ["mcp", "add", "b", "--", "y"];

const isTrusted = (host: TestHost) =>
  untrustedFiles(host, loadProject(host)).files.length === 0;

test("a file that add makes is trusted", async () => {
  const ran = await run(add);
  expect(isTrusted(testHost({ root: ran.root }))).toBe(true);
  expect(ran.err).not.toContain("not trusted");
});

test("add and remove carry trust over", async () => {
  const { root } = await run(["trust", "--yes"], {
    project: { "fenzi.yaml": ONE },
  });
  await run(add, { root });
  expect(isTrusted(testHost({ root }))).toBe(true);
  await run(["mcp", "remove", "a"], { root });
  expect(isTrusted(testHost({ root }))).toBe(true);
});

test("a file that only narrows needs no trust to be carried over", async () => {
  const { root } = await run(add, {
    project: { "fenzi.yaml": NARROW },
    machine: MACHINE,
  });
  expect(isTrusted(testHost({ root }))).toBe(true);
});

test("an untrusted file stays untrusted, and that is said", async () => {
  const ran = await run(add, { project: { "fenzi.yaml": ONE } });
  expect(ran.exit).toBe(0);
  expect(ran.err).toContain("`fenzi trust` shows");
  expect(isTrusted(testHost({ root: ran.root }))).toBe(false);
});

test("import never carries trust over", async () => {
  const { root } = await run(["trust", "--yes"], {
    project: { "fenzi.yaml": ONE },
  });
  const ran = await run(["mcp", "import"], {
    root,
    project: { ".mcp.json": '{"mcpServers":{"c":{"command":"z"}}}' },
  });
  expect(ran.exit).toBe(0);
  expect(isTrusted(testHost({ root }))).toBe(false);
});

/** A host on which somebody else writes the file just before each of the first `times` writes. */
function disturbed(host: TestHost, times: number): TestHost {
  const file = join(host.cwd, "fenzi.yaml");
  let left = times;
  let reads = 0;
  return {
    ...host,
    files: {
      ...host.files,
      read(path, most) {
        const bytes = host.files.read(path, most);
        // The second read of an attempt is that of the write, which compares.
        if (path === file && ++reads % 2 === 1 && left > 0) {
          left--;
          writeFileSync(file, `${readFileSync(file, "utf8")}# ${left}\n`);
        }
        return bytes;
      },
    },
  };
}

const edit = (host: TestHost) =>
  editFile(
    host,
    { file: join(host.cwd, "fenzi.yaml"), machine: false },
    (text) => {
      const done = setServer(text, "b", { command: ["z"] });
      return "problem" in done ? { diagnostics: [] } : done;
    },
    { dryRun: false, carryTrust: true, lessIsFine: false },
  );

test("what somebody else wrote meanwhile is read and edited again", async () => {
  const host = testHost({ project: { "fenzi.yaml": ONE } });
  const edited = await edit(disturbed(host, 2));
  expect(edited.done).toBe(true);
  const text = readFileSync(join(host.cwd, "fenzi.yaml"), "utf8");
  expect(text).toContain("# 1\n");
  expect(text).toContain("# 0\n");
  expect(text).toContain("  b:\n    command: [z]\n");
});

test("a file that keeps changing is left alone", async () => {
  const host = testHost({ project: { "fenzi.yaml": ONE } });
  const edited = await edit(disturbed(host, 9));
  expect(edited.done).toBe(false);
  expect(edited.diagnostics.map((d) => d.code)).toEqual([
    "write/changed-meanwhile",
  ]);
  expect(readFileSync(join(host.cwd, "fenzi.yaml"), "utf8")).not.toContain(
    "y]",
  );
});

test("many writers at once lose nothing", async () => {
  const { root } = testHost({ project: { "fenzi.yaml": ONE } });
  const names = Array.from({ length: 8 }, (_, i) => `s${i}`);
  const ran = await Promise.all(
    names.map((name) => run(["mcp", "add", name, "--", "y"], { root })),
  );
  expect(ran.map((r) => r.exit)).toEqual(names.map(() => 0));
  const { model } = loadProject(testHost({ root }));
  expect(model?.servers.map((s) => s.name)).toEqual(["a", ...names]);
});

test("a state folder that cannot be written is an error, and nothing is written", async () => {
  const { root } = testHost({ project: { "fenzi.yaml": ONE, state: "" } });
  const ran = await run(add, {
    root,
    env: { FENZI_STATE_DIR: join(root, "project/state") },
  });
  expect(ran.exit).toBe(3);
  expect(ran.err).toContain("[write/not-writable]");
  expect(ran.file()).toBe(ONE);
});
