// `npm run test:keychain`: the vault against a real Secret Service, in a session and a home folder of its own. Needs
// Debian's `dbus` and `gnome-keyring`; without them it fails, unless FENZI_KEYCHAIN=skip says that this is a laptop.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

if (process.env.FENZI_KEYCHAIN === "skip") {
  console.log("keychain: not tested, because of FENZI_KEYCHAIN=skip");
  process.exit(0);
}
for (const program of ["dbus-run-session", "gnome-keyring-daemon"])
  if (spawnSync(program, ["--version"]).status !== 0) {
    console.error(
      `keychain: \`${program}\` is missing; apt-get install -y dbus gnome-keyring, or FENZI_KEYCHAIN=skip`,
    );
    process.exit(1);
  }

const home = mkdtempSync(join(tmpdir(), "fenzi-keychain-"));
const runtime = join(home, "run");
mkdirSync(runtime, { mode: 0o700 });
const kept = ["PATH", "LANG", "LC_ALL", "CI"].flatMap((name) =>
  process.env[name] === undefined ? [] : [[name, process.env[name]]],
);
const run = spawnSync(
  "dbus-run-session",
  [
    "--",
    "sh",
    "-c",
    'printf password | gnome-keyring-daemon --unlock --components=secrets >"$HOME/daemon.log" && exec "$@"',
    "sh",
    process.execPath,
    "node_modules/vitest/vitest.mjs",
    "run",
    "--config",
    "test/vault/keychain.config.ts",
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${join(home, "result.json")}`,
    ...process.argv.slice(2),
  ],
  {
    stdio: "inherit",
    env: {
      ...Object.fromEntries(kept),
      HOME: home,
      XDG_RUNTIME_DIR: runtime,
      TMPDIR: home,
      NO_COLOR: "1",
    },
  },
);
let result = { numPassedTests: 0, numFailedTests: 1 };
try {
  result = JSON.parse(readFileSync(join(home, "result.json"), "utf8"));
} catch {
  console.error("keychain: the trial did not come to its end");
}
rmSync(home, { recursive: true, force: true });
console.log(`${result.numPassedTests} passed, ${result.numFailedTests} failed`);
if (run.error !== undefined) console.error(`keychain: ${run.error.message}`);
process.exitCode = run.status ?? 1;
