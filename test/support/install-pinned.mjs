// Installs the pinned packages of a test's folder. Their install scripts are not run: agents' platform packages hold the
// programs, and nothing else needs them.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const versionIn = (file) =>
  existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).version : null;

/** The folder of the modules, or null when they cannot be installed. */
export function installPinned(folder) {
  const modules = join(folder, "node_modules");
  const { dependencies } = JSON.parse(
    readFileSync(join(folder, "package.json"), "utf8"),
  );
  const stale = Object.entries(dependencies).some(
    ([name, version]) =>
      versionIn(join(modules, name, "package.json")) !== version,
  );
  if (stale) {
    console.log(`installing ${Object.keys(dependencies).join(", ")}`);
    // Not `npm ci`: it refuses a lock file without the packages for other systems, which not every registry has.
    const { status } = spawnSync(
      "npm",
      ["install", "--no-save", "--ignore-scripts", "--loglevel=error"],
      { cwd: folder, stdio: "inherit" },
    );
    if (status !== 0) return null;
  }
  return modules;
}
