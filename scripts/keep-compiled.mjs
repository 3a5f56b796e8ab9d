// Runs the built program a few times in one process and keeps what V8 compiled on the way, for `src/start.ts` to hand
// back to it. `keep-compiled.mjs FOLDER`, the folder being the built one.
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { Script } from "node:vm";

const built = resolve(process.argv[2] ?? "dist");
const file = join(built, "program.cjs");
const program = new Script(readFileSync(file, "latin1"), { filename: file });
const load = createRequire(file);

// No token: the keychain is nothing to be asked by a build.
const PROJECT = `version: 1
mcp:
  docs:
    url: https://docs.example.com/mcp
    headers: { X-Region: "\${REGION}" }
    tools: { allow: [read, search], ask: [search], deny: [drop] }
  files:
    command: [npx, -y, files, /srv]
    env: { MODE: ro }
  nobody:
    command: [${JSON.stringify(process.execPath)}, -e, ""]
`;
/** Few: what has run often is compiled into another form, which is not kept. */
const COMMANDS = [
  ["compile", "--trust"],
  ["mcp", "list"],
  ["--help"],
  ["trust", "--yes"],
  // Its input has ended already, so it ends at once.
  ["guard", "nobody"],
];

const root = mkdtempSync(join(tmpdir(), "fenzi-build-"));
mkdirSync(join(root, "home"));
writeFileSync(join(root, "fenzi.yaml"), PROJECT);
process.chdir(root);
Object.assign(process.env, {
  HOME: join(root, "home"),
  FENZI_CONFIG_DIR: join(root, "config"),
  FENZI_STATE_DIR: join(root, "state"),
});

/** The program sets the exit code when it is done, and then nothing is left to do: the next command follows. */
function next() {
  const args = COMMANDS.shift();
  if (args === undefined) return;
  process.argv = [process.execPath, file, ...args];
  program.runInThisContext()(load, pathToFileURL(file).href);
}
process.on("beforeExit", () => {
  if (process.exitCode !== 0) COMMANDS.length = 0;
  // A command that waits for nothing would be the last one.
  if (COMMANDS.length > 0) setImmediate(next);
});
process.once("exit", (code) => {
  rmSync(root, { recursive: true, force: true });
  if (code === 0)
    writeFileSync(join(built, "program.v8"), program.createCachedData());
});
next();
