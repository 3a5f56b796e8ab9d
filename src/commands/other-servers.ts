// Which servers an agent would load in this project beside those of fenzi, from every file it reads that can be read here.
import { isAbsolute, join, dirname, basename } from "node:path";
import { report } from "../diagnostics/catalog.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { Emitter, OtherServer, Source } from "../emit/emitter.ts";
import type { Host } from "../host/host.ts";
import { systemReason } from "../host/system-reason.ts";
import { decodeUtf8 } from "../read/decode-utf8.ts";
import { namesIn, serversIn, type FoundServer } from "../source/agent-file.ts";

/** One entry of one file. */
interface FileServer extends FoundServer {
  readonly file: string;
  /** The higher, the more its file counts. */
  readonly rank: number;
}

export interface AgentServers {
  /** By name, the entry that counts most last. */
  readonly byName: ReadonlyMap<string, readonly FileServer[]>;
  /** How much a file counts; -1 when the agent does not read it. */
  readonly rankOf: (file: string) => number;
  /** Whether a list of names switches this one off. */
  readonly isListedOff: (server: FileServer) => boolean;
  /** Files that cannot be read. */
  readonly diagnostics: readonly Diagnostic[];
}

export interface Folders {
  readonly project: string;
  readonly repository: string;
}

const MOST_BYTES = 16 * 1024 * 1024;

export function agentServers(
  host: Host,
  { target, others }: Pick<Emitter, "target" | "others">,
  folders: Folders,
): AgentServers {
  const diagnostics: Diagnostic[] = [];
  const byName = new Map<string, FileServer[]>();
  const files: string[] = [];
  for (const source of others.sources)
    for (const file of filesOf(host, source, folders)) {
      const rank = files.push(file) - 1;
      const text = textOf(host, source, file);
      if (text === null) continue;
      const unread = (reason: string) =>
        diagnostics.push(
          report("agent/not-read", { agent: target, file, reason }),
        );
      if ("reason" in text) {
        unread(text.reason);
        continue;
      }
      const found = serversIn(
        file,
        text.text,
        source.format,
        keysOf(source, folders),
      );
      if (found.value === null) unread("it does not parse");
      for (const server of found.value ?? [])
        byName.set(server.name, [
          ...(byName.get(server.name) ?? []),
          { ...server, file, rank },
        ]);
    }
  const off = others.off.map(({ of, sources }) => ({
    of,
    names: new Set(
      sources.flatMap((source) =>
        filesOf(host, source, folders).flatMap((file) => {
          const text = textOf(host, source, file);
          return text === null || "reason" in text
            ? []
            : namesIn(file, text.text, keysOf(source, folders));
        }),
      ),
    ),
  }));
  return {
    byName,
    rankOf: (file) => files.indexOf(file),
    isListedOff: ({ name, file }) =>
      off.some(
        ({ of, names }) =>
          (of === null || of === basename(file)) && names.has(name),
      ),
    diagnostics,
  };
}

const keysOf = ({ keys }: Source, { project }: Folders) =>
  keys.map((path) => path.map((key) => key ?? project));

/** The files of a source, the one that counts most last. */
function filesOf(
  host: Host,
  { place, names }: Source,
  { project, repository }: Folders,
): readonly string[] {
  if (place.kind === "system") return names;
  if (place.kind === "home") {
    const set = place.variable === null ? "" : (host.env[place.variable] ?? "");
    const folder = isAbsolute(set) ? set : join(host.home, place.folder);
    return names.map((name) => join(folder, name));
  }
  const folders: string[] = [];
  for (let at = project; ; at = dirname(at)) {
    folders.unshift(at);
    if (
      place.upTo === "project" ||
      (place.upTo === "repository" && at === repository) ||
      at === dirname(at)
    )
      break;
  }
  return folders.flatMap((folder) => names.map((name) => join(folder, name)));
}

/** Null when there is no such file. A link is followed only where the person put it. */
function textOf(
  host: Host,
  { place }: Source,
  file: string,
): { readonly text: string } | { readonly reason: string } | null {
  try {
    if (host.files.lstat(file) === null) return null;
    const real = place.kind === "project" ? file : host.files.realpath(file);
    const text = decodeUtf8(host.files.read(real, MOST_BYTES));
    return typeof text === "string"
      ? { text }
      : { reason: "it is not valid UTF-8" };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "";
    return code === "ENOENT" ? null : { reason: systemReason(code) };
  }
}

/** The entry by which an agent gets a server that is none of ours, or null. */
export function loadedFrom(
  { others }: Pick<Emitter, "others">,
  servers: AgentServers,
  name: string,
): FileServer | null {
  const entries = servers.byName.get(name) ?? [];
  const strongest = entries.findLast((e) => e.kind !== "switch");
  if (strongest === undefined || strongest.kind === "guard") return null;
  if (servers.isListedOff(strongest)) return null;
  const said =
    others.sameName === "replaces"
      ? (entries.at(-1)?.enabled ?? null)
      : (entries.findLast((e) => e.enabled !== null)?.enabled ?? null);
  return others.heedsEnabled && said === false ? null : strongest;
}

/** What `--only` has to switch off: servers of others' that are on by their own files, whatever we wrote into ours. */
export function othersToSwitchOff(
  { others }: Pick<Emitter, "others">,
  servers: AgentServers,
  ours: ReadonlySet<string>,
  ourFiles: ReadonlySet<string>,
): readonly OtherServer[] {
  return [...servers.byName].flatMap(([name, entries]) => {
    const own = entries.findLast((e) => e.kind === "server");
    if (own === undefined || ours.has(name)) return [];
    const inOurFile = ourFiles.has(own.file);
    // In our file it may be off because of us.
    if (others.heedsEnabled && own.enabled === false && !inOurFile) return [];
    return [
      {
        name,
        at: own.at,
        inOurFile,
        file: basename(own.file),
      },
    ];
  });
}
