// The command line of the built `fenzi guard` before local servers, with everything it reads and writes in a folder of
// its own.
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const CLI = fileURLToPath(new URL("../../dist/cli.cjs", import.meta.url));

/**
 * @param {object} world
 * @param {string} world.folder   new, or made by an earlier call
 * @param {string} world.name     of the server that is started
 * @param {object} [world.project]   what the project's fenzi.yaml says
 * @param {object} [world.machine]   and what the machine's says
 * @param {Record<string, string>} [world.env]   more variables for the guard
 * @param {boolean} [world.trusted]   whether a person trusts these files; they are when nothing is said
 * @param {string} [world.cli]   the built program, when it is not in `dist`
 * @returns `argv`, `cwd` (the project) and `env`, and `log`, the folder of the log's files
 */
export function guardCommand({
  folder,
  name,
  project = {},
  machine,
  env = {},
  trusted = true,
  cli = CLI,
}) {
  const at = (path) => join(folder, path);
  for (const path of ["project", "home", "config", "state"])
    mkdirSync(at(path), { recursive: true, mode: 0o700 });
  const write = (path, content) =>
    writeFileSync(at(path), JSON.stringify({ version: 1, ...content }));
  write("project/fenzi.yaml", project);
  if (machine !== undefined) write("config/mcp.yaml", machine);
  const command = {
    argv: [process.execPath, cli, "guard", name],
    cwd: at("project"),
    env: {
      PATH: process.env.PATH,
      HOME: at("home"),
      FENZI_CONFIG_DIR: at("config"),
      FENZI_STATE_DIR: at("state"),
      ...env,
    },
    log: at("state/logs"),
  };
  if (trusted) trust(command, cli);
  return command;
}

/** As a person does who has looked at the files. */
function trust({ cwd, env }, cli) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [cli, "trust", "--yes"],
    { cwd, env, encoding: "utf8" },
  );
  if (status !== 0) throw new Error(`not trusted: ${stdout}${stderr}`);
}
