// `npm run test:isolation`: servers behind real bubblewrap and real Podman, through the built `fenzi guard`. Needs Linux and
// Debian's `bubblewrap`, `podman`, `runc` and `busybox-static`; without them it fails and says what is missing.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const missing = [
  ["bubblewrap", ["bwrap", "--version"]],
  ["podman", ["podman", "--version"]],
  ["runc", ["runc", "--version"]],
  ["busybox-static", ["busybox", "true"]],
].flatMap(([name, [program, ...args]]) =>
  spawnSync(program, args).status === 0 ? [] : [name],
);
if (missing.length > 0) {
  console.error(
    `isolation: missing: ${missing.join(", ")}; apt-get install -y --no-install-recommends ${missing.join(" ")}`,
  );
  console.log("0 passed, 1 failed");
  process.exit(1);
}

// A store of its own; limits that a process without rights can set; runc, which takes every kind of control group.
const work = mkdtempSync(join(tmpdir(), "fenzi-isolation-"));
const limits = ["n", "u"].map((letter) => {
  const { stdout } = spawnSync("sh", ["-c", `ulimit -H${letter}`]);
  const most = Math.min(1024, Number(stdout.toString()) || 1024);
  return `"${letter === "n" ? "nofile" : "nproc"}=${most}:${most}"`;
});
writeFileSync(
  join(work, "containers.conf"),
  `[containers]\ndefault_ulimits = [${limits.join(", ")}]\n[engine]\nruntime = "runc"\n`,
);
writeFileSync(
  join(work, "storage.conf"),
  `[storage]\ndriver = "vfs"\ngraphroot = "${work}/images"\nrunroot = "${work}/run"\n`,
);
spawnSync(
  process.execPath,
  [
    "node_modules/vitest/vitest.mjs",
    "run",
    "--config",
    "test/isolation/isolation.config.ts",
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${join(work, "result.json")}`,
    ...process.argv.slice(2),
  ],
  {
    stdio: "inherit",
    env: {
      ...process.env,
      CONTAINERS_CONF: join(work, "containers.conf"),
      CONTAINERS_STORAGE_CONF: join(work, "storage.conf"),
      FENZI_ISOLATION_WORK: work,
    },
  },
);
let result = { numPassedTests: 0, numFailedTests: 1 };
try {
  result = JSON.parse(readFileSync(join(work, "result.json"), "utf8"));
} catch {
  console.error("isolation: the trial did not come to its end");
}
const unloaded = (result.testResults ?? []).filter(
  (file) =>
    file.status === "failed" &&
    file.assertionResults.every((test) => test.status !== "failed"),
);
rmSync(work, { recursive: true, force: true });
const failed = result.numFailedTests + unloaded.length;
console.log(`${result.numPassedTests} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
