// Folders that the user may not search: root may search them all, so no case can have them. Here the host refuses.
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Files } from "../../src/host/host.ts";
import { main } from "../../src/main.ts";
import { testHost } from "../support/test-host.ts";

const FILE = "version: 1\nmcp: { a: { command: [x] } }\n";

/** Runs where nothing inside `dark` can be looked at, listed, read or made. */
async function run(dark: string, argv: readonly string[]) {
  const host = testHost({ project: { "fenzi.yaml": FILE } });
  const folder = join(host.root, dark);
  const guard =
    <A extends readonly unknown[], R>(work: (path: string, ...rest: A) => R) =>
    (path: string, ...rest: A): R => {
      if (path.startsWith(`${folder}/`))
        throw Object.assign(new Error("EACCES"), { code: "EACCES", path });
      return work(path, ...rest);
    };
  const { files } = host;
  const guarded: Files = {
    ...files,
    lstat: guard(files.lstat),
    stat: guard(files.stat),
    realpath: guard(files.realpath),
    list: guard(files.list),
    read: guard(files.read),
    writeAtomic: guard(files.writeAtomic),
    makeFolder: guard(files.makeFolder),
    createExclusive: guard(files.createExclusive),
  };
  const args = argv.map((arg) => arg.replace("ROOT", host.root));
  const exit = await main(args, { ...host, files: guarded });
  return { exit, out: host.out(), err: host.err() };
}

const COMMANDS = [
  ["check"],
  ["check", "--json"],
  ["compile", "--trust"],
  ["compile", "--trust", "--json"],
  ["compile", "--trust", "--out", "ROOT/dark/out"],
  ["compile", "--trust", "--out", "ROOT/dark/out", "--dry-run", "--json"],
  ["explain", "a", "b", "--json"],
  ["init"],
  ["mcp", "add", "b", "--", "y"],
  ["mcp", "add", "b", "--dry-run", "--", "y"],
  ["mcp", "import", "--json"],
  ["mcp", "import", "ROOT/dark/x.json"],
  ["mcp", "import", "ROOT/dark/*.json"],
  ["mcp", "list"],
  ["mcp", "list", "--json"],
  ["mcp", "remove", "a"],
  ["trust", "--yes"],
];

test.each(["home/.config/fenzi", "home/.local", "project", "dark"])(
  "nothing is taken for absent in %s",
  async (dark) => {
    for (const argv of COMMANDS) {
      const { exit, out, err } = await run(dark, argv);
      const line = `fenzi ${argv.join(" ")}: ${err}`;
      expect(line).not.toContain("bug in fenzi");
      expect([0, 1, 3], line).toContain(exit);
      if (argv.includes("--json")) JSON.parse(out);
      else if (exit !== 0)
        expect(err, line).toMatch(/permission denied|nothing/);
    }
  },
);

test.each([
  ["home/.config/fenzi", ["check"], 1, "mcp.yaml` cannot be read"],
  ["home/.local", ["compile", "--trust"], 3, "compiled.json` cannot be read"],
  ["home/.local", ["mcp", "list"], 1, "trust.json` cannot be read"],
  ["project", ["init"], 3, "fenzi.yaml` cannot be written"],
  ["dark", ["compile", "--trust", "--out", "ROOT/dark/o"], 3, "dark/o` cannot"],
] as const)("in %s, fenzi %j", async (dark, argv, exit, message) => {
  const ran = await run(dark, argv);
  expect(ran.err).toContain(message);
  expect(ran.exit).toBe(exit);
});
