// `npm run demo`: what a first user sees. Lists the servers of examples/quickstart and shows what four agents would get,
// with folders of its own instead of the person's. Starts no server, asks nothing, contacts nobody.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const cli = fileURLToPath(new URL("../dist/cli.cjs", import.meta.url));
const cwd = fileURLToPath(new URL("../examples/quickstart", import.meta.url));
const root = mkdtempSync(join(tmpdir(), "fenzi-demo-"));

function fenzi(...args) {
  console.log(`\n$ fenzi ${args.join(" ")}`);
  const { status, error } = spawnSync(process.execPath, [cli, ...args], {
    cwd,
    stdio: ["ignore", "inherit", "inherit"],
    env: {
      PATH: process.env.PATH,
      HOME: join(root, "home"),
      FENZI_CONFIG_DIR: join(root, "config"),
      FENZI_STATE_DIR: join(root, "state"),
    },
  });
  if (status !== 0) throw error ?? new Error(`it ended with ${status}`);
}

try {
  mkdirSync(join(root, "home"));
  fenzi("mcp", "list");
  fenzi("apply", "--dry-run", "--agent", "claude-code");
  fenzi("compile", "--dry-run");
} finally {
  rmSync(root, { recursive: true, force: true });
}
