// Starting a program with exactly an argv, an environment and a folder.
import { spawn } from "node:child_process";

/**
 * @param {object} how
 * @param {readonly string[]} how.argv
 * @param {Record<string, string>} how.env
 * @param {string} how.cwd
 * @param {number} [how.seconds]          after which it is killed
 * @param {() => boolean} [how.enough]    killed as soon as this is true
 * @param {boolean} [how.alone]           then without what it started
 * @param {string} [how.input]            what stands on its standard input
 */
export function start({ argv, env, cwd, seconds = 180, enough, alone, input }) {
  return new Promise((resolve) => {
    // A group of its own, so that what the agent started ends with it.
    const child = spawn(argv[0], argv.slice(1), {
      cwd,
      env,
      stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
      detached: true,
    });
    child.stdin?.end(input);
    let stdout = "";
    let stderr = "";
    let killed = false;
    const kill = (pid) => {
      killed = true;
      try {
        process.kill(pid, "SIGKILL");
      } catch (problem) {
        if (problem.code !== "ESRCH") throw problem;
      }
    };
    const timeout = setTimeout(() => kill(-child.pid), seconds * 1000);
    const poll = setInterval(
      () => enough?.() && kill(alone === true ? child.pid : -child.pid),
      100,
    );
    const end = (code, problem) => {
      clearTimeout(timeout);
      clearInterval(poll);
      resolve({ code, killed, stdout, stderr: stderr + (problem ?? "") });
    };
    child.stdout.on("data", (data) => (stdout += data));
    child.stderr.on("data", (data) => (stderr += data));
    child.on("error", (problem) => end(null, problem.message));
    child.on("close", (code) => end(code));
  });
}
