// The built program as an agent starts it, in folders of its own, for tests that need a process: signals, pipes, orphans.
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll } from "vitest";
import { buildProgram } from "../support/build-program.ts";
import { until } from "../gateway/until.ts";

let built = "";

/** Builds the program for the tests of a file, and ends what they leave. To be called once in it. */
export function useProgram(): void {
  beforeAll(() => {
    built = mkdtempSync(join(tmpdir(), "fenzi-program-"));
    buildProgram(built);
  }, 60_000);
  afterEach(async () => {
    for (const world of worlds.splice(0)) await world.end();
  });
  afterAll(() => rmSync(built, { recursive: true, force: true }));
}

export interface Run {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly say: (...messages: readonly unknown[]) => void;
  readonly out: () => string;
  readonly err: () => string;
  /** Its answers, as JSON. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into it at any depth
  readonly answers: () => readonly any[];
  /** Its exit code, or the signal that ended it. */
  readonly exit: Promise<number | string | null>;
}

export interface Place {
  readonly root: string;
  readonly project: string;
  /** Runs a command to its end. */
  run(...args: readonly string[]): {
    readonly exit: number | null;
    readonly out: string;
    readonly err: string;
  };
  /** Starts a guard. */
  guard(name: string, options?: GuardRun): Run;
  /** How another program starts a command. */
  command(...args: readonly string[]): {
    readonly command: string;
    readonly args: string[];
    readonly cwd: string;
    readonly env: Record<string, string>;
  };
  log(): readonly Record<string, unknown>[];
  end(): Promise<void>;
}

export interface GuardRun {
  readonly env?: Readonly<Record<string, string>>;
  /** Files besides the standard ones that are open. */
  readonly files?: readonly number[];
  /** Standard output is not read before the test asks for it. */
  readonly unread?: boolean;
}

const worlds: Place[] = [];

/** Folders with these files, below `project` and `home`. */
export function place(
  files: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>> = {},
): Place {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "fenzi-place-")));
  const project = join(root, "project");
  mkdirSync(join(project, ".git"), { recursive: true });
  mkdirSync(join(root, "home/.config/fenzi"), { recursive: true, mode: 0o700 });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text, {
      mode: text.startsWith("#!") ? 0o700 : 0o600,
    });
  }
  const all = {
    PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
    HOME: join(root, "home"),
    ...env,
  };
  const cli = join(built, "cli.cjs");
  const running: Run[] = [];
  const made: Place = {
    root,
    project,
    run(...args) {
      const { status, stdout, stderr } = spawnSync(
        process.execPath,
        [cli, ...args],
        { cwd: project, env: all, encoding: "utf8", input: "" },
      );
      return { exit: status, out: stdout, err: stderr };
    },
    guard(name, { env: more = {}, files: open = [], unread = false } = {}) {
      const child = spawn(process.execPath, [cli, "guard", name], {
        cwd: project,
        env: { ...all, ...more },
        stdio: ["pipe", "pipe", "pipe", ...open],
      });
      let out = "";
      let err = "";
      if (!unread) child.stdout?.on("data", (chunk) => (out += String(chunk)));
      child.stderr?.on("data", (chunk) => (err += String(chunk)));
      for (const stream of [child.stdin, child.stdout, child.stderr])
        stream?.on("error", () => {});
      const run: Run = {
        child,
        pid: child.pid ?? 0,
        say: (...messages) =>
          void child.stdin?.write(
            messages.map((each) => `${JSON.stringify(each)}\n`).join(""),
          ),
        out: () => out,
        err: () => err,
        answers: () =>
          out
            .split("\n")
            .filter((line) => line !== "")
            .map((line) => JSON.parse(line)),
        exit: new Promise((resolve) =>
          child.once("close", (code, signal) => resolve(code ?? signal)),
        ),
      };
      running.push(run);
      return run;
    },
    command: (...args) => ({
      command: process.execPath,
      args: [cli, ...args],
      cwd: project,
      env: all,
    }),
    log() {
      const folder = join(root, "home/.local/state/fenzi/logs");
      return (existsSync(folder) ? readdirSync(folder) : []).flatMap((file) =>
        readFileSync(join(folder, file), "utf8")
          .trimEnd()
          .split("\n")
          .map((line) => JSON.parse(line)),
      );
    },
    async end() {
      for (const { child, exit } of running) {
        if (child.exitCode === null) child.kill("SIGTERM");
        child.stdout?.resume();
        await exit;
      }
      rmSync(root, { recursive: true, force: true });
    },
  };
  worlds.push(made);
  return made;
}

/** Waits until a file holds that many words, and gives them. */
export async function words(file: string, count: number): Promise<string[]> {
  const read = () =>
    existsSync(file)
      ? readFileSync(file, "utf8")
          .split(/\s+/)
          .filter((word) => word !== "")
      : [];
  await until(() => read().length >= count, 20_000);
  return read();
}

/** Kibibytes that a process has in memory. */
export const resident = (pid: number): number =>
  Number(
    /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1],
  );
