// One writer at a time: a lock file that names the process that holds it.
import { randomUUID } from "node:crypto";
import { dirname, join } from "node:path";
import type { Host } from "../host/host.ts";
import { realPath } from "../host/real-path.ts";
import { sha256 } from "../sha256.ts";

/** Milliseconds that one holder is waited for: a number may have come to another process, which lives. */
const PATIENCE = 10_000;
const STEP = 25;

/** The lock, in the state folder, of who writes at this place, however the place is reached. */
export const lockPath = (host: Host, state: string, place: string): string =>
  join(
    state,
    "locks",
    `${sha256(realPath(host.files, place)).slice(0, 16)}.lock`,
  );

/** Runs `work` while no other process holds the lock at `path`. A lock whose process is gone counts for nothing. */
export async function withLock<T>(
  host: Host,
  path: string,
  work: () => T | Promise<T>,
): Promise<T> {
  host.files.makeFolder(dirname(path), 0o700);
  const own = `${host.pid}-${randomUUID()}`;
  let seen: string | null = null;
  let waited = 0;
  while (!host.files.createExclusive(path, own)) {
    const holder = holderOf(host, path);
    if (holder !== seen) [seen, waited] = [holder, 0];
    if (holder === null) continue;
    takeAway(host, path, holder, waited > PATIENCE);
    await host.sleep(STEP);
    waited += STEP;
  }
  try {
    return await work();
  } finally {
    if (holderOf(host, path) === own) host.files.remove(path);
  }
}

/**
 * Removes the lock of a holder that is gone, or that `late` says is waited for no more, and never that of the next: who
 * removes it holds a lock for just that, under a name that the holder leads to, and looks again whose lock it is.
 */
function takeAway(
  host: Host,
  path: string,
  holder: string,
  late: boolean,
): void {
  if (!late && !isGone(host, holder)) return;
  const remover = `${path}.${holder === "" ? "nobody" : holder}`;
  const own = `${host.pid}-${randomUUID()}`;
  if (host.files.createExclusive(remover, own)) {
    if (holderOf(host, path) === holder) host.files.remove(path);
    host.files.remove(remover);
    return;
  }
  // Somebody is at it, or was ended in the middle of it.
  const other = holderOf(host, remover);
  if (other !== null) takeAway(host, remover, other, late);
}

/** What stands in a lock; null when there is none. */
function holderOf(host: Host, path: string): string | null {
  try {
    return new TextDecoder().decode(host.files.read(path, 64));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

function isGone(host: Host, holder: string): boolean {
  const pid = Number(/^\d{1,15}/.exec(holder)?.[0] ?? 0);
  return pid > 0 && !host.processLives(pid);
}
