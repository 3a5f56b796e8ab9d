// The files that a log consists of: numbered, the highest is added to. A file that is full is never renamed, so that
// several processes can add to a log without knowing of each other.
import { join } from "node:path";
import type { Host } from "../host/host.ts";

interface Segment {
  readonly number: number;
  readonly path: string;
}

export const segmentPath = (folder: string, number: number): string =>
  join(folder, `${String(number).padStart(6, "0")}.jsonl`);

/** In order; none when the folder is not there. */
export function segmentsIn(host: Host, folder: string): readonly Segment[] {
  if (host.files.stat(folder)?.kind !== "folder") return [];
  return host.files
    .list(folder)
    .flatMap((name) => {
      const number = /^(\d{6,15})\.jsonl$/.exec(name)?.[1];
      return number === undefined
        ? []
        : [{ number: Number(number), path: join(folder, name) }];
    })
    .sort((a, b) => a.number - b.number);
}
