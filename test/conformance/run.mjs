// `npm run test:conformance`: the official suite of the protocol against a server and a client, alone and with the built
// gateway between. Installs the suite, builds, and goes on in a network namespace that has only loopback.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { installPinned } from "../support/install-pinned.mjs";

const SELF = fileURLToPath(import.meta.url);
const FOLDER = fileURLToPath(new URL(".", import.meta.url));
const INSIDE = "--inside";
const MINUTES = 9;

function outside() {
  if (installPinned(FOLDER) === null) {
    console.log("the suite cannot be installed");
    return 1;
  }
  const built = spawnSync("npm", ["run", "--silent", "build"], {
    cwd: join(FOLDER, "../.."),
    stdio: "inherit",
  });
  if (built.status !== 0) {
    console.log("fenzi does not build");
    return 1;
  }
  // Whatever is left over ends with the namespace of its processes.
  const { status, error } = spawnSync(
    "unshare",
    "--map-root-user --net --pid --fork --kill-child --mount-proc"
      .split(" ")
      .concat("sh", "-c", 'ip link set lo up && exec "$@"', "sh")
      .concat(process.execPath, SELF, INSIDE),
    { stdio: "inherit", timeout: MINUTES * 60_000, killSignal: "SIGKILL" },
  );
  if (error?.code === "ETIMEDOUT")
    console.log(`not done after ${MINUTES} minutes`);
  else if (error) console.log(`no network namespace: ${error.message}`);
  return status ?? 1;
}

async function inside() {
  const { runTrials } = await import("./trials.mjs");
  const root = mkdtempSync(join(tmpdir(), "fenzi conformance "));
  try {
    return await runTrials(root);
  } finally {
    if (process.env["FENZI_KEEP"] === undefined)
      rmSync(root, { recursive: true, force: true });
    else console.log(`kept: ${root}`);
  }
}

process.exit(process.argv[2] === INSIDE ? await inside() : outside());
