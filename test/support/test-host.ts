// A host for tests: real files in fresh temporary folders, captured streams, no terminal unless asked for.
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Host, Prompts } from "../../src/host/host.ts";
import { nodeHost } from "../../src/host/node-host.ts";

export interface TestHost extends Host {
  readonly out: () => string;
  readonly err: () => string;
  /** The temporary folder that holds `project`, `home` and `state`. */
  readonly root: string;
}

export interface TestHostOptions {
  /** Files by path below the project folder. */
  readonly project?: Readonly<Record<string, string>>;
  /** Text of the machine file. */
  readonly machine?: string;
  /** Current folder below the project folder. */
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  /** Standard streams are a terminal. */
  readonly tty?: boolean;
  readonly prompts?: Partial<Prompts>;
  /** Reuses the folders of an earlier host. */
  readonly root?: string;
}

const refuse = (): never => {
  throw new Error("a question was asked that the test did not expect");
};

export function testHost(options: TestHostOptions = {}): TestHost {
  const root =
    options.root ?? realpathSync(mkdtempSync(join(tmpdir(), "fenzi-test-")));
  const project = join(root, "project");
  const home = join(root, "home");
  mkdirSync(join(project, ".git"), { recursive: true });
  mkdirSync(join(home, ".config/fenzi"), { recursive: true, mode: 0o700 });
  for (const [path, text] of Object.entries(options.project ?? {})) {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), text);
  }
  if (options.machine !== undefined)
    writeFileSync(join(home, ".config/fenzi/mcp.yaml"), options.machine, {
      mode: 0o600,
    });
  const streams = { out: "", err: "" };
  const output = (name: "out" | "err") => ({
    write: (text: string) => {
      streams[name] += text;
    },
    isTTY: options.tty === true,
    columns: 80,
  });
  const cwd = join(project, options.cwd ?? "");
  mkdirSync(cwd, { recursive: true });
  return {
    ...nodeHost(),
    root,
    cwd,
    home,
    env: { ...options.env, NO_COLOR: "1" },
    stdin: {
      isTTY: options.tty === true,
      readAll: async () => options.stdin ?? "",
    },
    stdout: output("out"),
    stderr: output("err"),
    prompts: {
      confirm: options.prompts?.confirm ?? refuse,
      password: options.prompts?.password ?? refuse,
      choose: options.prompts?.choose ?? refuse,
    },
    out: () => streams.out,
    err: () => streams.err,
  };
}
