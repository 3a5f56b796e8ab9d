// One writer at a time: a lock file with the number of the process that holds it.
import { dirname } from "node:path";
import type { Host } from "../host/host.ts";

const PATIENCE = 10_000;
const STEP = 25;

/** Runs `work` while no other process holds the lock at `path`. A lock whose process is gone counts for nothing. */
export async function withLock<T>(
  host: Host,
  path: string,
  work: () => T | Promise<T>,
): Promise<T> {
  host.files.makeFolder(dirname(path), 0o700);
  for (
    let waited = 0;
    !host.files.createExclusive(path, String(host.pid));
    waited += STEP
  ) {
    if (isStale(host, path) || waited > PATIENCE) host.files.remove(path);
    else await host.sleep(STEP);
  }
  try {
    return await work();
  } finally {
    host.files.remove(path);
  }
}

function isStale(host: Host, path: string): boolean {
  try {
    const pid = Number(new TextDecoder().decode(host.files.read(path, 32)));
    return Number.isInteger(pid) && pid > 0 && !host.processLives(pid);
  } catch {
    return false;
  }
}
