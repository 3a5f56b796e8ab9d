// Looks for a text wherever an agent could have come upon it: in files and in the environments of processes.
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
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== except)
    .map(environmentOf)
    .filter((text) => text.split("\0").includes(entry));

function environmentOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8");
  } catch {
    // It has ended, or is another user's.
    return "";
  }
}
