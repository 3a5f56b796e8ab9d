// A project with one server behind the built `fenzi guard`, and a client that has the server run commands.
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import {
  cpSync,
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

const CLI = join(import.meta.dirname, "../../dist/cli.cjs");

export interface Project {
  readonly root: string;
  readonly folder: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  write(path: string, text: string): void;
  /** Lines of the log: effect, request, rule. */
  log(): readonly string[];
  remove(): void;
}

/** `server`: the keys of `probe`, as YAML in one line. It is trusted. */
export function project(
  server: string,
  files: Readonly<Record<string, string>> = {},
): Project {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "fenzi-isolated-")));
  const folder = join(root, "project");
  const home = join(root, "home");
  const write = (path: string, text: string) => {
    const whole = join(root, path);
    mkdirSync(dirname(whole), { recursive: true });
    writeFileSync(whole, text);
  };
  mkdirSync(join(folder, ".git/hooks"), { recursive: true });
  write("project/.git/config", "[core]\n");
  write("project/fenzi.yaml", `version: 1\nmcp:\n  probe: ${server}\n`);
  write("home/.ssh/id_ed25519", "private\n");
  for (const [path, text] of Object.entries(files)) write(path, text);
  cpSync(
    join(import.meta.dirname, "probe-server.mjs"),
    join(folder, "probe.mjs"),
  );
  const env: Record<string, string> = {
    PATH: "/usr/local/bin:/usr/bin:/bin",
    HOME: home,
    FENZI_CONFIG_DIR: join(root, "config"),
    FENZI_STATE_DIR: join(root, "state"),
    SECRET: "hunter2hunter2",
  };
  for (const name of ["CONTAINERS_CONF", "CONTAINERS_STORAGE_CONF"]) {
    const value = process.env[name];
    if (value !== undefined) env[name] = value;
  }
  execFileSync(process.execPath, [CLI, "trust", "--yes"], {
    cwd: folder,
    env,
    stdio: "pipe",
  });
  return {
    root,
    folder,
    home,
    env,
    write,
    log: () =>
      readdirSync(join(root, "state/logs"))
        .flatMap((name) =>
          readFileSync(join(root, "state/logs", name), "utf8")
            .trim()
            .split("\n"),
        )
        .map((line) => JSON.parse(line) as Record<string, string>)
        .filter((row) => row["http"] !== null)
        .map((row) => `${row["effect"]} ${row["http"]} ${row["rule"]}`),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

export interface Guarded {
  readonly process: ChildProcess;
  /** Has the server run a script of the shell; what it printed, and its exit code at the end. */
  run(script: string): Promise<string>;
  /** Closes the agent's side; the guard's exit code. */
  end(): Promise<number | null>;
  /** What the guard said on standard error. */
  readonly words: () => string;
}

export async function guarded({ folder, env }: Project): Promise<Guarded> {
  const child = spawn(process.execPath, [CLI, "guard", "probe"], {
    cwd: folder,
    env: { ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let words = "";
  child.stderr.on("data", (chunk: Buffer) => (words += chunk.toString()));
  const over = new Promise<number | null>((resolve) =>
    child.once("exit", resolve),
  );
  const waiting = new Map<number, (message: Answer) => void>();
  let rest = "";
  child.stdout.on("data", (chunk: Buffer) => {
    rest += chunk.toString();
    for (let end = rest.indexOf("\n"); end >= 0; end = rest.indexOf("\n")) {
      const message = JSON.parse(rest.slice(0, end)) as Answer;
      rest = rest.slice(end + 1);
      waiting.get(message.id)?.(message);
    }
  });
  child.stdin.on("error", () => {});
  let last = 0;
  const ask = (method: string, params: unknown): Promise<Answer> => {
    const id = ++last;
    child.stdin.write(
      `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`,
    );
    return Promise.race([
      new Promise<Answer>((resolve) => waiting.set(id, resolve)),
      over.then((code) => {
        throw new Error(`the guard ended with ${code}: ${words}`);
      }),
    ]);
  };
  await ask("initialize", {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "test", version: "1" },
  });
  child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  return {
    process: child,
    words: () => words,
    async run(script) {
      const hex = Buffer.from(script).toString("hex");
      const answer = await ask("tools/call", {
        name: "run",
        arguments: { hex },
      });
      const text = answer.result?.content[0]?.text ?? JSON.stringify(answer);
      return text.startsWith("base64 ")
        ? Buffer.from(text.slice(7), "base64").toString()
        : text;
    },
    end() {
      child.stdin.end();
      return over;
    },
  };
}

interface Answer {
  readonly id: number;
  readonly result?: { readonly content: readonly { readonly text: string }[] };
}

/** Numbers of the processes that have a text on their command line or in their environment. */
export const processesWith = (text: string): readonly number[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((name) => {
      try {
        return ["cmdline", "environ"].some((file) =>
          readFileSync(`/proc/${name}/${file}`, "latin1").includes(text),
        );
      } catch {
        return false;
      }
    })
    .map(Number);

/** Waits for a condition; false when it does not come about. */
export async function comes(
  condition: () => boolean,
  milliseconds = 20_000,
): Promise<boolean> {
  for (const end = Date.now() + milliseconds; Date.now() < end;) {
    if (condition()) return true;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return condition();
}
