// Puts a server's pins into the `fenzi.lock` beside the file that defines it, and carries the trust of that file over.
import { loadProject, trustedHash, type Project } from "../compile.ts";
import { report } from "../diagnostics/catalog.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { lockText } from "../format/lock-text.ts";
import type { Host } from "../host/host.ts";
import type { Pins, Server } from "../model/model.ts";
import { writeChange } from "../plan/write.ts";
import { lockOf, stateFolder } from "../read/discover.ts";
import { addTrust } from "../state/trust.ts";
import { untrustedFiles } from "./trust-gate.ts";

/** What is in the lock file of the server's own file now, by server; those that are listed no more left out. */
function lockedIn({ model }: Project, lock: string): ReadonlyMap<string, Pins> {
  const names = new Set(model?.servers.map(({ name }) => name));
  return new Map(
    [...(model?.locked ?? [])].flatMap(([name, all]) => {
      const here = all.find(({ origin }) => origin?.at.file === lock);
      return here === undefined || !names.has(name)
        ? []
        : [[name, here] as const];
    }),
  );
}

/** Whether the lock file would be changed. */
export function locksDiffer(
  project: Project,
  server: Server,
  pins: Pins,
): boolean {
  if (!isOfRepository(server)) return false;
  const lock = lockOf(server.origin.at.file);
  return (
    project.texts.get(lock)?.text !== textWith(project, lock, server, pins)
  );
}

export const isOfRepository = ({ origin }: Server): boolean =>
  origin.layer === "root" || origin.layer === "project";

const textWith = (
  project: Project,
  lock: string,
  { name }: Server,
  pins: Pins,
): string => lockText(new Map(lockedIn(project, lock)).set(name, pins));

/** `project` is as it was read before. Empty: it is written. */
export async function writeLock(
  host: Host,
  project: Project,
  server: Server,
  pins: Pins,
): Promise<readonly Diagnostic[]> {
  const { file } = server.origin.at;
  const lock = lockOf(file);
  const real = host.files.realpath(file);
  const before = untrustedFiles(host, project);
  const trusted =
    before.diagnostics.length === 0 &&
    before.files.every((each) => each.file !== real);
  const written = writeChange(
    host,
    {
      path: project.texts.get(lock)?.real ?? lock,
      before: project.texts.get(lock)?.text ?? null,
      text: textWith(project, lock, server, pins),
    },
    0o644,
  );
  if (written === "changed-meanwhile")
    return [report("write/changed-meanwhile", { file: lock })];
  if (written !== "written") return [written];
  const now = loadProject(host);
  const text = now.texts.get(file);
  return trusted && text !== undefined
    ? (
        await addTrust(host, stateFolder(host), [
          { file: real, hash: trustedHash(now, text) },
        ])
      ).diagnostics
    : [];
}
