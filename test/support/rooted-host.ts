// A host for golden cases: the real file system below a temporary folder that takes the place of `/`, streams that are
// kept, and an environment and answers of the case's own. Paths are the same in every run and on every machine.
import { isAbsolute, join, relative } from "node:path";
import type { Files, Host } from "../../src/host/host.ts";
import { nodeHost } from "../../src/host/node-host.ts";

export interface RootedHostOptions {
  /** The temporary folder that is `/` for the program. A real path. */
  readonly root: string;
  readonly cwd: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  /** Standard input and error are a terminal, so that questions are asked. */
  readonly tty: boolean;
  readonly stdin: string;
  /** What a person answers, question by question; `^C` is Ctrl-C. */
  readonly answers: readonly unknown[];
}

export interface RootedHost {
  readonly host: Host;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** How many answers no question took. */
  readonly unused: () => number;
}

const CTRL_C = "^C";

export function rootedHost(options: RootedHostOptions): RootedHost {
  const real = nodeHost();
  const { cwd, home, tty } = options;
  let stdout = "";
  let stderr = "";
  const answers = [...options.answers];
  const answer = (question: string): unknown => {
    stderr += `? ${question}\n`;
    if (answers.length === 0)
      throw new Error(`the case has no answer to: ${question}`);
    const given = answers.shift();
    if (given === CTRL_C)
      throw Object.assign(new Error(CTRL_C), { name: "ExitPromptError" });
    return given;
  };
  return {
    host: {
      ...real,
      cwd,
      home,
      env: { HOME: home, NO_COLOR: "1", ...options.env },
      files: below(options.root, real.files),
      stdin: { isTTY: tty, readAll: async () => options.stdin },
      stdout: { write: (t) => void (stdout += t), isTTY: tty, columns: 80 },
      stderr: { write: (t) => void (stderr += t), isTTY: tty, columns: 80 },
      prompts: {
        confirm: async (message) => answer(message) as boolean,
        password: async (message) => answer(message) as string,
        choose: async (message) => answer(message) as readonly string[],
      },
    },
    stdout: () => stdout,
    stderr: () => stderr,
    unused: () => answers.length,
  };
}

/** Files as a program sees them for whom `root` is `/`. */
function below(root: string, real: Files): Files {
  const inside = (path: string) => join(root, path);
  return {
    lstat: (path) => real.lstat(inside(path)),
    stat: (path) => real.stat(inside(path)),
    realpath(path) {
      const found = real.realpath(inside(path));
      const rest = relative(root, found);
      return rest.startsWith("..") || isAbsolute(rest)
        ? found
        : join("/", rest);
    },
    list: (folder) => real.list(inside(folder)),
    glob: async (pattern, folder) =>
      (await real.glob(pattern, inside(folder))).map((path) =>
        join("/", relative(root, path)),
      ),
    read: (path, maxBytes) => real.read(inside(path), maxBytes),
    writeAtomic: (path, text, mode) =>
      real.writeAtomic(inside(path), text, mode),
    makeFolder: (path, mode) => real.makeFolder(inside(path), mode),
    createExclusive: (path, text) => real.createExclusive(inside(path), text),
    remove: (path) => real.remove(inside(path)),
    removeEmpty: (folder) => real.removeEmpty(inside(folder)),
    removeTree: (path) => real.removeTree(inside(path)),
    openAppend: (path, mode) => real.openAppend(inside(path), mode),
    readAt: (path, offset, maxBytes) =>
      real.readAt(inside(path), offset, maxBytes),
  };
}
