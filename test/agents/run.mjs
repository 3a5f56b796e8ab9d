// `npm run test:agents`: the real agents against the built `fenzi`, without a network. Installs the agents, builds, and
// starts the trials in a network namespace that has only loopback. `npm run test:agents -- codex` runs one agent.
import { spawnSync } from "node:child_process";
import { accessSync, constants, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { installPinned } from "../support/install-pinned.mjs";
import { makeTally } from "../support/tally.mjs";
import { adapters } from "./adapters/index.mjs";
import { APPLY_TOOLS } from "./apply-project.mjs";
import { runApplyTrials } from "./apply-trials.mjs";
import { GATEWAY_TOOLS, runGatewayTrials } from "./gateway-trials.mjs";
import { startMcp } from "./mcp-http-server.mjs";
import { startModel } from "./model-server.mjs";
import { TOOLS } from "./project-file.mjs";
import { runTrials } from "./trials.mjs";

const SELF = fileURLToPath(import.meta.url);
const FOLDER = fileURLToPath(new URL(".", import.meta.url));
const INSIDE = "--inside";

function outside(words) {
  if (process.env["FENZI_AGENTS"] === "skip") {
    console.log("skipped: FENZI_AGENTS=skip");
    return 0;
  }
  const modules = installPinned(FOLDER);
  if (modules === null) {
    console.log("the agents cannot be installed");
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
  const loopback = 'ip link set lo up && exec "$@"';
  const inner = [process.execPath, SELF, INSIDE, modules, ...words];
  const { status, error } = spawnSync(
    "unshare",
    ["--map-root-user", "--net", "sh", "-c", loopback, "sh", ...inner],
    { stdio: "inherit" },
  );
  if (error) console.log(`no network namespace: ${error.message}`);
  return status ?? 1;
}

async function inside(modules, words) {
  const tally = makeTally();
  const model = await startModel();
  const mcp = await startMcp(TOOLS);
  const upstream = await startMcp(GATEWAY_TOOLS, ["keyed"]);
  const guarded = await startMcp(APPLY_TOOLS);
  // A blank in the path, as it may be anywhere.
  const root = mkdtempSync(join(tmpdir(), "fenzi agents "));
  try {
    for (const adapter of adapters) {
      if (words.length > 0 && !words.includes(adapter.agent)) continue;
      try {
        const executable = adapter.executable(modules);
        accessSync(executable, constants.X_OK);
        const common = { adapter, executable, model, root, tally };
        await runTrials({ ...common, mcp });
        await runGatewayTrials({ ...common, mcp: upstream });
        await runApplyTrials({ ...common, mcp: guarded });
      } catch (problem) {
        tally.check(`${adapter.agent}: runs at all`, [String(problem.stack)]);
      }
    }
  } finally {
    await model.stop();
    await mcp.stop();
    await upstream.stop();
    await guarded.stop();
    if (process.env["FENZI_KEEP"] === undefined)
      rmSync(root, { recursive: true, force: true });
    else console.log(`kept: ${root}`);
  }
  return tally.end();
}

const [first, ...rest] = process.argv.slice(2);
process.exit(
  first === INSIDE
    ? await inside(rest[0], rest.slice(1))
    : outside(process.argv.slice(2)),
);
