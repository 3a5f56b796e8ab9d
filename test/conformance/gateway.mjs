// The built `fenzi gateway` before one server, with everything it reads and writes in a folder of its own.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const CLI = fileURLToPath(new URL("../../dist/cli.cjs", import.meta.url));
const NAME = "conformance";

/**
 * @param {string} folder   new; made here
 * @param {string} url      of the server
 * @param {string} tools    what the project file says about its tools
 */
export async function startGateway({ folder, url, tools }) {
  const at = (name) => join(folder, name);
  for (const name of ["project", "home", "config", "state"])
    mkdirSync(at(name), { recursive: true, mode: 0o700 });
  writeFileSync(
    at("project/fenzi.yaml"),
    `version: 1\nmcp:\n  ${NAME}:\n    url: ${url}\n    tools: ${tools}\n`,
  );
  const child = spawn(process.execPath, [CLI, "gateway", "--trust"], {
    cwd: at("project"),
    env: {
      PATH: process.env.PATH,
      HOME: at("home"),
      FENZI_CONFIG_DIR: at("config"),
      FENZI_STATE_DIR: at("state"),
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let words = "";
  child.stderr.on("data", (data) => (words += data));
  const ended = once(child, "exit");
  const [line] = await Promise.race([
    once(createInterface(child.stdout), "line"),
    ended.then(([code]) => {
      throw new Error(`the gateway ended with ${code}: ${words}`);
    }),
  ]);
  return {
    url: JSON.parse(line).servers[NAME].url,
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}
