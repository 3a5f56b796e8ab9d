// Running the built `fenzi` in a trial's project, with the trial's own folders for settings and state.
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { start } from "./start.mjs";

const CLI = fileURLToPath(new URL("../../dist/cli.cjs", import.meta.url));

/** What to start, where and with what; `env` is added to the trial's. */
export const fenziStart = (world, words, env = {}) => ({
  argv: [process.execPath, CLI, ...words],
  cwd: world.project,
  env: {
    ...world.env,
    FENZI_CONFIG_DIR: join(world.root, "config"),
    FENZI_STATE_DIR: join(world.root, "state"),
    ...env,
  },
});

/** Runs a command to its end. */
export const fenzi = (world, words) => start(fenziStart(world, words));
