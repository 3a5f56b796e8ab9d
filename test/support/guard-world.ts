// A built guard before a local server, for tests: what it says, what it writes to its log, and what lives on.
import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { vi } from "vitest";
import { parseRow, type LogRow } from "../../src/audit/log-row.ts";
import { lives } from "./lives.ts";
import { guardCommand } from "./guard-command.mjs";
import { buildProgram } from "./build-program.ts";
import { openStdio, type StdioClient } from "./stdio-client.mjs";

export const SECONDS = 60;

/** A folder for a test file, with the built program and a world for each test. */
export function guardWorlds(): GuardWorlds {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "fenzi guard ")));
  const open: StdioClient[] = [];
  let count = 0;
  return {
    root,
    cli: join(root, "built/cli.cjs"),
    build: () => void buildProgram(join(root, "built")),
    async end() {
      for (const client of open) {
        client.kill("SIGKILL");
        await client.exited;
      }
      rmSync(root, { recursive: true, force: true });
    },
    folder() {
      const folder = join(root, `world ${(count += 1)}`);
      mkdirSync(join(folder, "notes"), { recursive: true });
      return folder;
    },
    fenzi(world, words) {
      const cli = join(root, "built/cli.cjs");
      const { cwd, env } = guardCommand({ ...world, cli });
      const { status, stdout, stderr } = spawnSync(
        process.execPath,
        [cli, ...words],
        { cwd, env, encoding: "utf8" },
      );
      return { exit: status, out: stdout, err: stderr };
    },
    open(world) {
      const command = guardCommand({
        ...world,
        cli: join(root, "built/cli.cjs"),
      });
      const client = openStdio(command);
      open.push(client);
      const rows = (): readonly LogRow[] =>
        existsSync(command.log) ? rowsIn(command.log) : [];
      return { ...client, project: command.cwd, log: rows };
    },
  };
}

export interface GuardWorlds {
  readonly root: string;
  /** The program that `build` makes. */
  readonly cli: string;
  build(): void;
  end(): Promise<void>;
  /** A new one, with `notes` in it. */
  folder(): string;
  /** Another command in that world. */
  fenzi(
    world: World,
    words: readonly string[],
  ): {
    readonly exit: number | null;
    readonly out: string;
    readonly err: string;
  };
  open(world: World): GuardedServer;
}

export type World = Parameters<typeof guardCommand>[0];

export interface GuardedServer extends StdioClient {
  readonly project: string;
  /** All rows so far. */
  log(): readonly LogRow[];
}

const rowsIn = (folder: string): readonly LogRow[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".jsonl"))
    .flatMap((name) => readFileSync(join(folder, name), "utf8").split("\n"))
    .flatMap((line) => parseRow(line) ?? []);

/** Whether any process has this in its words: a number means another one inside a namespace. */
export const livesWith = (words: string): boolean =>
  readdirSync("/proc").some((name) => {
    try {
      return (
        /^\d+$/.test(name) &&
        readFileSync(`/proc/${name}/cmdline`, "utf8").includes(words) &&
        lives(name)
      );
    } catch {
      return false;
    }
  });

export const waitFor = (check: () => void): Promise<void> =>
  vi.waitFor(check, { timeout: SECONDS * 1000, interval: 50 });
