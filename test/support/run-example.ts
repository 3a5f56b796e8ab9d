// Runs commands in a copy of a folder, for the pages that show what comes out. Paths are the same on every machine.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { main } from "../../src/main.ts";
import { readTree, writeTree } from "./folder-tree.ts";
import { rootedHost } from "./rooted-host.ts";

const HOME = "/home/you";
const PROJECT = "/home/you/app";

/** What a terminal would show of these commands, errors included, and the files that lie below `out/` afterwards. */
export async function runExample(
  folder: string,
  commands: readonly (readonly string[])[],
): Promise<{ readonly text: string; readonly files: readonly string[] }> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "fenzi-example-")));
  try {
    const project = join(root, PROJECT);
    mkdirSync(project, { recursive: true, mode: 0o700 });
    // A golden case brings a machine as well; any other folder is a project.
    const golden = existsSync(join(folder, "case.json"));
    writeTree(project, readTree(golden ? join(folder, "project") : folder));
    if (golden) writeTree(join(root, HOME), readTree(join(folder, "machine")));
    let text = "";
    for (const args of commands) {
      const { host, stdout, stderr } = rootedHost({
        root,
        home: HOME,
        cwd: PROJECT,
        env: {},
        tty: false,
        stdin: "",
        answers: [],
      });
      await main(args, host);
      text += stdout() + stderr();
    }
    return { text, files: [...readTree(join(project, "out")).keys()].sort() };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
