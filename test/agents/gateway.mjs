// A running `fenzi gateway` for one agent, as a program that starts it sees it: its ready line, what it says, its end.
import { spawn } from "node:child_process";
import { fenzi, fenziStart } from "./fenzi.mjs";

const PATIENCE = 30_000;

/** `env` holds the tokens. Resolves when the first line has come, or the process has ended without one. */
export async function startGateway({ world, agent, env }) {
  const words = ["gateway", "--trust", "--agent", agent, "--out", world.out];
  const { argv, ...how } = fenziStart(world, words, env);
  const child = spawn(argv[0], argv.slice(1), {
    ...how,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (data) => (stdout += data));
  child.stderr.on("data", (data) => (stderr += data));
  let code;
  const ended = new Promise((resolve) =>
    child.on("close", (status, signal) => resolve((code = status ?? signal))),
  );
  const until = (what) => waitFor(() => code !== undefined || what(), PATIENCE);
  await until(() => stdout.includes("\n"));
  return {
    pid: child.pid,
    ready: parsed(stdout),
    stdout: () => stdout,
    stderr: () => stderr,
    /** Waits until it has said this on standard error. */
    says: (words) => until(() => stderr.includes(words)),
    /** Ends it as a service manager does. The exit status, or the name of the signal that it took. */
    async stop() {
      child.kill("SIGTERM");
      const kill = setTimeout(() => child.kill("SIGKILL"), PATIENCE);
      await ended;
      clearTimeout(kill);
      return code;
    },
  };
}

/** What `fenzi logs --json` prints, one object a line. */
export async function readLog(world) {
  const { stdout } = await fenzi(world, ["logs", "--json"]);
  return stdout.split("\n").filter(Boolean).map(parsed);
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

async function waitFor(isTrue, milliseconds) {
  for (const end = Date.now() + milliseconds; Date.now() < end;) {
    if (isTrue()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
