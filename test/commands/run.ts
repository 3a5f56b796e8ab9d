// Runs one command line in the folders of a test, and gives what came of it.
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { main } from "../../src/main.ts";
import { testHost, type TestHostOptions } from "../support/test-host.ts";

export interface Ran {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
  readonly root: string;
  /** Text of a file below the project folder; null when there is none. */
  readonly file: (path?: string) => string | null;
  readonly machine: () => string | null;
  readonly mode: (path: string) => number;
}

/** `options.root` of an earlier result runs in the same folders. */
export async function run(
  argv: readonly string[],
  options: TestHostOptions = {},
): Promise<Ran> {
  const host = testHost(options);
  const exit = await main(argv, host);
  const read = (path: string) =>
    existsSync(path) ? readFileSync(path, "utf8") : null;
  return {
    exit,
    out: host.out(),
    err: host.err(),
    root: host.root,
    file: (path = "fenzi.yaml") => read(join(host.root, "project", path)),
    machine: () => read(join(host.root, "home/.config/fenzi/mcp.yaml")),
    mode: (path) => statSync(join(host.root, path)).mode & 0o777,
  };
}
