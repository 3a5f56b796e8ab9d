// Runs a golden case in a fresh temporary folder that is `/` for the program, with the case's machine as home folder and
// its project inside it, and says what came out.
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { main } from "../../src/main.ts";
import {
  readTree,
  touchedBetween,
  writeTree,
  type Tree,
} from "./folder-tree.ts";
import type { GoldenCase, Preparation, Step } from "./golden-case.ts";
import { rootedHost } from "./rooted-host.ts";

/** The folders that the program sees. */
export const HOME = "/home/you";
export const PROJECT = "/home/you/project";

export interface StepResult {
  readonly step: Step;
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Answers that no question took. */
  readonly unused: number;
  /** Files below the home folder that the command made, changed or removed. */
  readonly touched: readonly string[];
}

export interface CaseResult {
  readonly steps: readonly StepResult[];
  /** Below the home folder: files that the commands made or changed, and those they removed. */
  readonly changed: Tree;
  readonly gone: readonly string[];
  /** Every file below the home folder, before and after. */
  readonly before: Tree;
  readonly after: Tree;
  readonly modeOf: (path: string) => string | null;
  readonly isFolder: (path: string) => boolean;
  /** Runs one more command in the same folder. */
  readonly again: (args: readonly string[]) => Promise<StepResult>;
}

/** Runs the case and hands the result to `look` before the folder is removed. */
export async function runCase<T>(
  golden: GoldenCase,
  look: (result: CaseResult) => T | Promise<T>,
): Promise<T> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "fenzi-golden-")));
  try {
    const home = join(root, HOME);
    mkdirSync(join(root, PROJECT), { recursive: true, mode: 0o700 });
    writeTree(home, readTree(join(golden.folder, "machine")));
    writeTree(join(root, PROJECT), readTree(join(golden.folder, "project")));
    if (golden.git !== null)
      mkdirSync(join(root, PROJECT, golden.git, ".git"), { recursive: true });
    mkdirSync(join(root, PROJECT, golden.cwd), { recursive: true });
    const found = readTree(home);
    const steps: StepResult[] = [];
    for (const step of golden.steps)
      steps.push(await runStep(golden, root, step));
    const after = readTree(home);
    const touched = new Set(steps.flatMap((s) => s.touched));
    return await look({
      steps,
      changed: new Map([...after].filter(([path]) => touched.has(path))),
      gone: [...touched].filter((path) => !after.has(path)),
      before: found,
      after,
      modeOf(path) {
        const stat = statSync(join(home, path), { throwIfNoEntry: false });
        return stat === undefined
          ? null
          : (stat.mode & 0o7777).toString(8).padStart(4, "0");
      },
      isFolder: (path) =>
        statSync(join(home, path), {
          throwIfNoEntry: false,
        })?.isDirectory() === true,
      again: (args) => runStep(golden, root, { args: [...args], exit: 0 }),
    });
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

async function runStep(
  golden: GoldenCase,
  root: string,
  step: Step,
): Promise<StepResult> {
  const home = join(root, HOME);
  for (const action of step.before ?? []) prepare(home, action);
  const before = readTree(home);
  const test = rootedHost({
    root,
    home: HOME,
    cwd: join(PROJECT, golden.cwd),
    env: golden.env,
    tty: step.answers !== undefined,
    stdin: step.stdin ?? "",
    answers: step.answers ?? [],
  });
  const exit = await main(step.args, test.host);
  return {
    step,
    exit,
    stdout: test.stdout(),
    stderr: test.stderr(),
    unused: test.unused(),
    touched: touchedBetween(before, readTree(home)),
  };
}

function prepare(home: string, action: Preparation): void {
  if ("link" in action) {
    mkdirSync(dirname(join(home, action.link)), { recursive: true });
    symlinkSync(action.to, join(home, action.link));
  } else if ("of" in action)
    chmodSync(join(home, action.of), parseInt(action.mode, 8));
  else if ("folder" in action)
    mkdirSync(join(home, action.folder), { recursive: true });
  else if ("remove" in action)
    rmSync(join(home, action.remove), { recursive: true });
  else {
    mkdirSync(dirname(join(home, action.write)), { recursive: true });
    writeFileSync(
      join(home, action.write),
      "base64" in action
        ? Buffer.from(action.base64, "base64")
        : action.text.repeat(action.times),
      { mode: 0o600 },
    );
  }
}
