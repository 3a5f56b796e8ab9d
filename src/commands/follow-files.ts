// Notices that a file that counts was edited, made or removed, by looking at them again and again.
import type { Host } from "../host/host.ts";
import { discover } from "../read/discover.ts";
import { MOST_BYTES } from "../read/read-file.ts";

/** Milliseconds between two looks. */
const STEP = 1_000;

/** Calls `changed` after each change, until the signal is aborted. */
export async function followFiles(
  host: Host,
  signal: AbortSignal,
  changed: () => void,
): Promise<void> {
  let before = contents(host);
  while (!signal.aborted) {
    await host.sleep(STEP, signal);
    if (signal.aborted) return;
    const now = contents(host);
    if (now === before) continue;
    before = now;
    changed();
  }
}

function watched(host: Host): readonly string[] {
  const { files, ignoreFile } = discover(host);
  return [
    ...files.flatMap(({ file, lock }) =>
      lock === null ? [file] : [file, lock],
    ),
    ...(ignoreFile === null ? [] : [ignoreFile]),
  ];
}

/** All that counts as one text. A file that cannot be read counts as one that is different from any other. */
const contents = (host: Host): string =>
  JSON.stringify(
    watched(host).map((file) => {
      try {
        return [
          file,
          new TextDecoder("latin1").decode(
            host.files.read(host.files.realpath(file), MOST_BYTES),
          ),
        ];
      } catch (error) {
        return [file, null, (error as NodeJS.ErrnoException).code ?? ""];
      }
    }),
  );
