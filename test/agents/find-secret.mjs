// Looks for a text wherever an agent could have come upon it: in files and in the environments of processes; and for processes.
import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The files below a folder that hold one of the texts, or have it in their name. Links are not followed. */
export function filesWith(folder, texts) {
  return readdirSync(folder, { recursive: true }).flatMap((name) => {
    const file = join(folder, name);
    const bytes = lstatSync(file).isFile() ? readFileSync(file) : "";
    return texts.some((text) => name.includes(text) || bytes.includes(text))
      ? [name]
      : [];
  });
}

/** The environments of all running processes that have this entry, but for those of `except`. */
export const environmentsWith = (entry, except) =>
  processesWith(entry)
    .filter(({ pid }) => pid !== except)
    .map(({ environment }) => environment);

/** All running processes that have this entry in their environment. */
export const processesWith = (entry) =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => ({
      pid: Number(pid),
      environment: read(`/proc/${pid}/environ`),
      words: read(`/proc/${pid}/cmdline`).split("\0").join(" ").trim(),
    }))
    .filter(({ environment }) => environment.split("\0").includes(entry));

function read(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    // It has ended, or is another user's.
    return "";
  }
}
