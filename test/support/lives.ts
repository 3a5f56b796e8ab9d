// Whether a process is still there.
import { readFileSync } from "node:fs";

/** False for one that has ended and is only waited for. */
export function lives(pid: string | number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}
