// What a program needs of this machine to run in isolation: its own files where they lie outside the system's folders,
// and a home.
import { basename, dirname, join } from "node:path";
import type { Host } from "../host/host.ts";
import { isOuterLayer } from "../match/outer-layer.ts";
import type { Server } from "../model/model.ts";
import { stateFolder } from "../read/discover.ts";
import { sha256 } from "../sha256.ts";

/** A home of its own, which it keeps: caches and settings, and nothing of the person's. Mode 0700. */
export function isolatedHome(host: Host, server: Server): string {
  const { name, origin } = server;
  const of = isOuterLayer(origin.layer)
    ? name
    : `${name}-${sha256(host.files.realpath(origin.at.file)).slice(0, 12)}`;
  const folder = join(stateFolder(host), "homes", of);
  host.files.makeFolder(folder, 0o700);
  return folder;
}

const SYSTEM = /^\/(?:usr|bin|sbin|lib|lib32|lib64|opt)\//;

/** Programs that others in their folder start: `npx` is run by `node`, `uvx` starts `uv`. */
const BESIDE = ["node", "npm", "npx", "uv", "uvx"];

/** Files and folders that these programs need and that are not the system's. Absolute; each exists. */
export function programFiles(
  host: Host,
  programs: readonly string[],
): readonly string[] {
  const found = new Set<string>();
  const add = (path: string) => {
    if (host.files.stat(path) !== null) found.add(path);
  };
  for (const program of programs) {
    const real = host.files.realpath(program);
    for (const path of new Set([program, real])) {
      if (SYSTEM.test(path)) continue;
      add(path);
      const folder = dirname(path);
      if (basename(folder) !== "bin") continue;
      const whole = dirname(folder);
      // An environment of Python is one folder; of others only what is known to be programs.
      if (host.files.stat(join(whole, "pyvenv.cfg")) !== null) add(whole);
      add(join(whole, "lib", "node_modules"));
      for (const name of BESIDE) {
        const other = join(folder, name);
        add(other);
        if (host.files.stat(other) !== null) {
          const meant = host.files.realpath(other);
          if (!SYSTEM.test(meant)) add(meant);
        }
      }
    }
  }
  return [...found];
}
