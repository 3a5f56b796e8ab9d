// Ends a process group when we do, however we end: a shell that waits for the end of a pipe of ours. Agents kill what they
// started without asking, and then nothing of ours runs any more that could end what a server has started.
import { spawn } from "node:child_process";

/** In a session of its own: whoever kills our group does not kill it. */
const SCRIPT = 'read -r group || exit; read -r _; kill -s KILL -- "-$group"';

interface Watch {
  /** From now on it watches over this group. */
  over(group: number): void;
  /** To be called when the group is gone, or there was none. */
  end(): void;
}

/** To be started before the group is, so that there is hardly a moment in which nobody watches over it. */
export function startWatch(): Watch {
  if (process.platform === "win32") return { over() {}, end() {} };
  const shell = spawn("/bin/sh", ["-c", SCRIPT], {
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
  return {
    over: (group) => void shell.stdin.write(`${group}\n`),
    end: () => void shell.kill("SIGKILL"),
  };
}
