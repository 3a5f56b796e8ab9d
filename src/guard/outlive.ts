// Ends a process group when we do, however we end: a shell that waits for the end of a pipe of ours. Agents kill what they
// started without asking, and then nothing of ours runs any more that could end what a server has started.
import { spawn } from "node:child_process";

/** In a session of its own: whoever kills our group does not kill it. */
const SCRIPT = 'read -r _; kill -s KILL -- "-$1"';

/** Watches over a group from now on. Returns what ends the watch; to be called when the group is gone. */
export function endsWithUs(group: number): () => void {
  if (process.platform === "win32") return () => {};
  const shell = spawn("/bin/sh", ["-c", SCRIPT, "sh", String(group)], {
    cwd: "/",
    env: {},
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  // Without a shell there is no watch; the server is ended as far as we still can.
  shell.on("error", () => {});
  shell.stdin.on("error", () => {});
  shell.unref();
  // A pipe is a socket in Node, whatever its type says.
  (shell.stdin as unknown as { unref(): void }).unref();
  return () => void shell.kill("SIGKILL");
}
