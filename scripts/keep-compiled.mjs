// Runs a built program in one process, a few times when it is one that ends, and keeps what V8 compiled on the way, for
// `src/start.ts` to hand back to it. `keep-compiled.mjs FOLDER NAME`: the built folder, and `program` or `guard`.
import { spawnSync } from "node:child_process";
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
const name = process.argv[3] ?? "program";
const file = join(built, `${name}.cjs`);
const program = new Script(readFileSync(file, "latin1"), { filename: file });
const load = createRequire(file);

/** Answers whatever it is asked. */
const SERVER = `require("node:readline").createInterface(process.stdin).on("line", (line) => {
  const { id, method } = JSON.parse(line);
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, result:
    method === "initialize" ? { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "a", version: "1" } } :
    method === "tools/list" ? { tools: ["read", "drop"].map((name) => ({ name, inputSchema: { type: "object" } })) } :
    { content: [{ type: "text", text: "done" }] } }));
});`;
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
`;
const GUARDED = `${PROJECT}  server:
    command:
      - ${JSON.stringify(process.execPath)}
      - -e
      - ${JSON.stringify(SERVER)}
    env: { MODE: ro }
    tools: { allow: [read, "search_*"], deny: [drop] }
    paths: { read: ["src/**"], write: ["src/**"] }
`;
/** Few: what has run often is compiled into another form, which is not kept. */
const COMMANDS =
  name === "guard"
    ? // Its input is ours: what an agent says first.
      [["guard", "server"]]
    : [["compile", "--trust"], ["mcp", "list"], ["--help"], ["trust", "--yes"]];

const root = mkdtempSync(join(tmpdir(), "fenzi-build-"));
mkdirSync(join(root, "home"));
writeFileSync(join(root, "fenzi.yaml"), name === "guard" ? GUARDED : PROJECT);
process.chdir(root);
Object.assign(process.env, {
  HOME: join(root, "home"),
  FENZI_CONFIG_DIR: join(root, "config"),
  FENZI_STATE_DIR: join(root, "state"),
});
if (name === "guard")
  spawnSync(process.execPath, [join(built, "cli.cjs"), "trust", "--yes"]);

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
    writeFileSync(join(built, `${name}.v8`), program.createCachedData());
});
next();
