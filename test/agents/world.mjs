// The folders of one trial: a HOME, a repository with the project in it, Fenzi's own folders. Rogue files lie everywhere.
import {
  existsSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { tracesIn, writeRogueFiles } from "./rogue-files.mjs";

const STDIO_SERVER = fileURLToPath(
  new URL("./mcp-stdio-server.mjs", import.meta.url),
);

/** Makes a trial's folders below `root`, which is absent or empty. `peaceful`: without rogue files. */
export function makeWorld({ root, mcp, adapter, executable, peaceful }) {
  const home = join(root, "home");
  const parent = join(root, "repository");
  const project = join(parent, "the project");
  const traces = join(root, "traces");
  const log = join(root, "stdio.jsonl");
  const bin = join(root, "bin");
  for (const folder of [home, project, traces, bin, join(root, "tmp")])
    mkdirSync(folder, { recursive: true });
  mkdirSync(join(parent, ".git"));
  symlinkSync(executable, join(bin, adapter.command));
  const stdio = [process.execPath, STDIO_SERVER, log];
  const rogue = peaceful === true ? {} : { project, parent, home };
  for (const [place, folder] of Object.entries(rogue))
    writeRogueFiles({ folder, place, url: mcp.url, stdio, traces });

  /** What the stdio servers wrote down. */
  const stdioSeen = () =>
    existsSync(log)
      ? readFileSync(log, "utf8")
          .trim()
          .split("\n")
          .map((line) => JSON.parse(line))
      : [];
  return {
    root,
    home,
    project,
    repository: parent,
    bin,
    stdio,
    stdioSeen,
    out: join(root, "out"),
    /** What every process is started with; nothing else of the caller's environment. */
    env: {
      PATH: [bin, dirname(process.execPath), "/usr/bin", "/bin"].join(
        delimiter,
      ),
      HOME: home,
      LANG: "C.UTF-8",
      TERM: "dumb",
      TMPDIR: join(root, "tmp"),
    },
    write: (file, text) => writeFileSync(join(project, file), text),
    /** Every sign of a rogue file. */
    rogues: () => [
      ...new Set([
        ...mcp
          .seen()
          .map(({ server }) => server)
          .filter((name) => name.startsWith("rogue")),
        ...stdioSeen()
          .map(({ server }) => `${server} (stdio)`)
          .filter((name) => name.startsWith("rogue")),
        ...tracesIn(traces),
      ]),
    ],
  };
}
