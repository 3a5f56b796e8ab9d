// `npm run test:servers`: servers that people use, behind the built guard: what is allowed works as it does without the
// guard, byte for byte; files outside the project and private ones are out of reach; nothing is left running.
import { spawnSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { installPinned } from "../support/install-pinned.mjs";
import { makeTally } from "../support/tally.mjs";
import { tryServers } from "./trials.mjs";

const FOLDER = fileURLToPath(new URL(".", import.meta.url));

if (installPinned(FOLDER) === null) {
  console.log("the servers cannot be installed");
  process.exit(1);
}
const built = spawnSync("npm", ["run", "--silent", "build"], {
  cwd: join(FOLDER, "../.."),
  stdio: "inherit",
});
if (built.status !== 0) {
  console.log("fenzi does not build");
  process.exit(1);
}
const root = realpathSync(mkdtempSync(join(tmpdir(), "fenzi servers ")));
process.once("exit", () => rmSync(root, { recursive: true, force: true }));
const tally = makeTally();
await tryServers({ root, tally }).catch((problem) =>
  tally.check("runs to the end", [String(problem.stack)]),
);
process.exit(tally.end());
