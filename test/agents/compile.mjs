// Running the built `fenzi compile` for one agent in a trial's project.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fenzi } from "./fenzi.mjs";

/** Writes the machine's file with the agent's native settings, when it needs any. */
export function writeSettings(world, agent, settings) {
  const folder = join(world.root, "config");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (settings === null) return;
  const file = { version: 1, agents: { [agent]: { config: settings } } };
  writeFileSync(join(folder, "mcp.yaml"), JSON.stringify(file), {
    mode: 0o600,
  });
}

/** Exit status and document. The document is null when none was printed. */
export async function compile(world, agent, flags = ["--trust"]) {
  const words = ["compile", "--agent", agent, ...flags, "--out", world.out];
  const { code, stdout, stderr } = await fenzi(world, [...words, "--json"]);
  let document = null;
  try {
    document = JSON.parse(stdout);
  } catch {
    // No document: the caller shows what came instead.
  }
  const said =
    document?.diagnostics.map((d) => `${d.code}: ${d.message}`) ?? [];
  return {
    code,
    document,
    codes: document?.diagnostics.map((d) => d.code) ?? [],
    /** Empty when it went well. */
    problems:
      code === 0 && document !== null
        ? []
        : [`exit ${code}`, ...said, stdout.slice(0, 300), stderr.slice(0, 500)],
  };
}
