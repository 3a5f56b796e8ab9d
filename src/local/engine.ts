// Short errands with a container engine: which containers are left over, and away with one.
import { spawn } from "node:child_process";
import { ownerOf } from "./isolate-container.ts";

interface Engine {
  /** Absolute path of `docker` or `podman`. */
  readonly program: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Milliseconds. */
const PATIENCE = 15_000;
const MOST_BYTES = 256 * 1024;

/** Removes a container with all that runs in it. That it is gone already is fine. */
export async function removeContainer(
  engine: Engine,
  name: string,
): Promise<void> {
  await run(engine, ["rm", "--force", name]);
}

/**
 * Removes the containers of this machine whose process is gone: it was killed before it could. False when the engine does
 * not answer: its service may not run.
 */
export async function removeLeftOver(
  engine: Engine,
  machine: string,
  lives: (pid: number) => boolean,
): Promise<boolean> {
  const listed = await run(engine, [
    "ps",
    "--all",
    "--filter",
    `label=fenzi=${machine}`,
    "--format",
    "{{.Names}}",
  ]);
  if (listed === null) return false;
  for (const name of listed.split("\n")) {
    const owner = ownerOf(name.trim());
    if (owner !== null && !lives(owner))
      await removeContainer(engine, name.trim());
  }
  return true;
}

/** What it printed; null when it failed. */
function run(engine: Engine, args: readonly string[]): Promise<string | null> {
  return new Promise((resolve) => {
    const child = spawn(engine.program, args, {
      env: { ...engine.env },
      cwd: "/",
      stdio: ["ignore", "pipe", "ignore"],
      timeout: PATIENCE,
      killSignal: "SIGKILL",
    });
    let out = "";
    child.stdout.on("data", (chunk: Buffer) => {
      if (out.length < MOST_BYTES) out += chunk.toString();
    });
    child.once("error", () => resolve(null));
    child.once("close", (code) => resolve(code === 0 ? out : null));
  });
}
