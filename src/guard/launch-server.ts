// Starts a local server and ends it: in a process group of its own, with nothing of our environment and no file of ours
// but the three standard ones, and with nothing left of the group when it is over.
import {
  spawn,
  type ChildProcess,
  type ChildProcessWithoutNullStreams,
} from "node:child_process";
import { realpathSync } from "node:fs";
import type { Server } from "node:net";
import { basename } from "node:path";
import { PassThrough, type Readable, type Writable } from "node:stream";
import { startWatch } from "./outlive.ts";
import { within } from "./within.ts";

/** What is started, as it is started: references are replaced, the program is an absolute path. */
export interface ServerPlan {
  /** At least one word. */
  readonly argv: readonly string[];
  /** All variables that it gets. */
  readonly env: Readonly<Record<string, string>>;
  /** Absolute. */
  readonly cwd: string;
  /** Takes the listener that the command hands out over Node's channel before it becomes the server. */
  readonly takeListener?: (listener: Server) => void;
  /** Removes what the isolation of a server leaves behind; called when nothing of it runs any more. */
  readonly release?: () => Promise<void>;
}

/** How a process ended. */
export interface ServerExit {
  readonly code: number | null;
  readonly signal: string | null;
  /** The system's code when it could not be started at all. */
  readonly failed: string | null;
}

export interface ServerProcess {
  readonly input: Writable;
  readonly output: Readable;
  readonly errors: Readable;
  /** The process itself has ended; others of its group, and the pipes that they hold, may live on until `stop`. */
  readonly exited: Promise<ServerExit>;
  /** It has ended, and what it wrote has been read, unless somebody else holds its pipes open or nobody reads them. */
  readonly finished: Promise<ServerExit>;
  /**
   * Ends all of the group, however far it has come: closes its input, waits, asks it to end, waits, kills it. Takes five
   * seconds at most.
   */
  stop(): Promise<void>;
}

/** Milliseconds between the steps of ending a server. */
const PATIENCE = { eof: 2_000, term: 2_000, kill: 500, drain: 250, look: 10 };

/** Starts it. What can go wrong is told by `exited`. */
export function launchServer(plan: ServerPlan): ServerProcess {
  const [program = "", ...args] = withParent(plan.argv);
  const watch = startWatch();
  let child: ChildProcessWithoutNullStreams;
  try {
    child = spawn(program, args, {
      cwd: plan.cwd,
      env: { ...plan.env },
      stdio: [
        "pipe",
        "pipe",
        "pipe",
        ...(plan.takeListener === undefined ? [] : ["ipc" as const]),
      ],
      // A session of its own: its own process group, and no terminal to write to.
      detached: process.platform !== "win32",
      windowsHide: true,
    }) as ChildProcessWithoutNullStreams;
  } catch (error) {
    // Most failures are told later; some, as too long a command line, at once.
    const { code } = error as NodeJS.ErrnoException;
    watch.end();
    if (code === undefined) throw error;
    return notStarted(code, plan);
  }
  const group = child.pid;
  if (group === undefined) watch.end();
  else watch.over(group);
  takeHandedOut(child, plan);
  let gone = false;
  /** False when there was nobody left to hear it. */
  const signal = (name: NodeJS.Signals | 0): boolean => {
    if (group === undefined || gone) return false;
    try {
      if (process.platform === "win32") return child.kill(name);
      return process.kill(-group, name);
    } catch {
      return false;
    }
  };
  // Whatever ends us, the group does not outlive it.
  const last = (): void => void signal("SIGKILL");
  process.once("exit", last);

  const exited = new Promise<ServerExit>((resolve) => {
    child.once("error", (error: NodeJS.ErrnoException) =>
      // An error may also be about a signal; only one without a process is the end.
      group === undefined
        ? resolve({ code: null, signal: null, failed: error.code ?? "" })
        : undefined,
    );
    child.once("exit", (code, name) =>
      resolve({ code, signal: name, failed: null }),
    );
  });
  const read = Promise.all([child.stdout, child.stderr].map(isOver));
  const finished = exited.then(async (exit) => {
    await within(read, PATIENCE.drain);
    return exit;
  });
  // Its end is told by `exited`; a pipe that breaks before says nothing more.
  for (const stream of [child.stdin, child.stdout, child.stderr])
    stream.on("error", () => {});

  let stopping: Promise<void> | null = null;
  const end = async (): Promise<void> => {
    child.stdin.end();
    if (!(await within(exited, PATIENCE.eof))) {
      signal("SIGTERM");
      await within(exited, PATIENCE.term);
    } else if (signal(0)) {
      // The server itself is gone; what it left behind is asked once, and not for long.
      signal("SIGTERM");
      await groupGone(signal, PATIENCE.kill);
    }
    if (signal("SIGKILL")) await groupGone(signal, PATIENCE.kill);
    await within(finished, PATIENCE.kill);
    await plan.release?.();
    gone = true;
    process.off("exit", last);
    watch.end();
    for (const stream of [child.stdin, child.stdout, child.stderr])
      stream.destroy();
  };
  return {
    input: child.stdin,
    output: child.stdout,
    errors: child.stderr,
    exited,
    finished,
    stop: () => (stopping ??= end()),
  };
}

/** The command may go on when the listener is here. */
function takeHandedOut(
  child: ChildProcess,
  { takeListener }: ServerPlan,
): void {
  if (takeListener === undefined) return;
  child.once("message", (_message, listener) => {
    if (listener === undefined) return;
    takeListener(listener as Server);
    child.send("go", () => {});
  });
}

function notStarted(code: string, plan: ServerPlan): ServerProcess {
  const exited = Promise.resolve({ code: null, signal: null, failed: code });
  const none = new PassThrough();
  return {
    input: new PassThrough().resume(),
    output: none,
    errors: none,
    exited,
    finished: exited,
    stop: async () => plan.release?.(),
  };
}

const isOver = (stream: Readable): Promise<void> =>
  new Promise((resolve) => {
    stream.once("end", resolve);
    stream.once("close", resolve);
  });

/** Waits until nobody of a group is left, but not longer than that. */
async function groupGone(
  signal: (name: 0) => boolean,
  milliseconds: number,
): Promise<void> {
  for (let left = milliseconds; left > 0 && signal(0); left -= PATIENCE.look)
    await new Promise((resolve) => setTimeout(resolve, PATIENCE.look));
}

/** Where util-linux puts it. Never looked up in `PATH`, which is the agent's. */
const SETPRIV = ["/usr/bin/setpriv", "/bin/setpriv"];
let setpriv: string | null | undefined;

/** The kernel ends the server when we end, even if nobody could ask it to: where the program for that is there. */
function withParent(argv: readonly string[]): readonly string[] {
  if (process.platform !== "linux") return argv;
  setpriv ??= SETPRIV.find(isUtilLinux) ?? null;
  return setpriv === null
    ? argv
    : [setpriv, "--pdeathsig", "KILL", "--", ...argv];
}

/** That of busybox has the same name and not this option. */
function isUtilLinux(path: string): boolean {
  try {
    return basename(realpathSync(path)) === "setpriv";
  } catch {
    return false;
  }
}
