// Where a program is looked for. Golden cases have one folder on PATH; these are about several.
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadProject } from "../../src/compile.ts";
import { safePath } from "../../src/local/find-program.ts";
import { testHost } from "../support/test-host.ts";

test.each(["bin", "..bin", "node_modules/.bin", "not-there"])(
  "no program is looked for in %s of the repository",
  (name) => {
    const first = testHost({ project: { "fenzi.yaml": "version: 1\n" } });
    const folder = join(first.cwd, name);
    if (name !== "not-there") {
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, "npx"), "#!/bin/sh\n");
      chmodSync(join(folder, "npx"), 0o755);
    }
    const link = join(first.root, "link");
    symlinkSync(folder, link);
    const host = testHost({
      root: first.root,
      env: { PATH: `${folder}:${link}:.:bin::/usr/bin` },
    });
    const { model } = loadProject(host);
    if (model === null) throw new Error("no model");
    expect(safePath(host, model)).toBe("/usr/bin");
  },
);
