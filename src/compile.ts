// The pipeline on one page: read → parse → validate → merge → model, then for each agent deliver → emit → plan.
// It stops between stages when there is an error; a stage returns all that it finds.
import { basename, dirname, join, relative } from "node:path";
import {
  airGapWarnings,
  socketWarnings,
  deliver,
  type Way,
} from "./deliver/deliver.ts";
import {
  hasErrors,
  sortDiagnostics,
  type Diagnostic,
  type Result,
} from "./diagnostics/diagnostic.ts";
import {
  emitFor,
  emitSharedFor,
  notEnforced,
  type EmittedAgent,
} from "./emit/emit-all.ts";
import type { Emitter, OtherServer, ProjectEmission } from "./emit/emitter.ts";
import type { Host } from "./host/host.ts";
import type { LayerDocument } from "./merge/layer.ts";
import { mergeLayers } from "./merge/merge.ts";
import { realPath } from "./host/real-path.ts";
import { isOuterLayer } from "./match/outer-layer.ts";
import type { LayerName, Model, Pins, PrivateList } from "./model/model.ts";
import {
  configFolder,
  discover,
  stateFolder,
  type Discovery,
} from "./read/discover.ts";
import { hashTogether, readFile, type FileText } from "./read/read-file.ts";
import { parseIgnore } from "./source/parse-ignore.ts";
import { parseYaml } from "./source/parse-yaml.ts";
import { validateFile } from "./validate/validate-file.ts";
import { validateLock } from "./validate/validate-lock.ts";
import { sha256 } from "./sha256.ts";

/** The files that count in a folder, and what they come to. */
export interface Project {
  readonly found: Discovery;
  /** Every file that was read, by path, for showing snippets. */
  readonly texts: ReadonlyMap<string, FileText>;
  /** Null when there is an error. */
  readonly model: Model | null;
  readonly diagnostics: readonly Diagnostic[];
  /** What `--trust=SHA256` pins: see `projectHash`. */
  readonly hash: string | null;
}

/**
 * Reads and merges everything that counts in the host's current folder. `instead` holds texts that count in the place
 * of a file's own, by absolute path: what an edit would come to.
 */
export function loadProject(
  host: Host,
  instead: ReadonlyMap<string, string> = new Map(),
): Project {
  const found = discover(host, new Set(instead.keys()));
  const texts = new Map<string, FileText>();
  const documents: LayerDocument[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const { layer, file, lock: lockFile } of found.files) {
    const read = readFile(
      host,
      file,
      layer === "machine",
      instead.get(file) ?? null,
    );
    for (const each of read.diagnostics) diagnostics.push(each);
    if (read.value === null) continue;
    const lock = readLock(host, layer, lockFile);
    for (const each of lock.diagnostics) diagnostics.push(each);
    if (lock.text !== null) texts.set(lock.text.file, lock.text);
    const text = {
      ...read.value,
      hash: hashTogether([
        read.value.hash,
        ...(lock.text === null ? [] : [lock.text.hash]),
      ]),
    };
    texts.set(file, text);
    const document = parseDocument(layer, {
      ...text,
      folder: realPath(host.files, dirname(file)),
    });
    for (const each of document.diagnostics) diagnostics.push(each);
    if (document.value !== null)
      documents.push({ ...document.value, locked: lock.pins });
  }
  const ignore = readIgnore(host, found, texts);
  for (const each of ignore.diagnostics) diagnostics.push(each);
  const stopped = hasErrors(diagnostics);
  const merged: Result<Model> = stopped
    ? { value: null, diagnostics: [] }
    : mergeLayers(documents, {
        project: found.project,
        repository: found.repository,
        folder: realPath(host.files, found.project),
        own: {
          home: realPath(host.files, homeOf(host)),
          folders: [configFolder(host), stateFolder(host)].map((folder) =>
            realPath(host.files, folder),
          ),
        },
        ignore: ignore.value ?? [],
      });
  return {
    found,
    texts,
    model: merged.value,
    diagnostics: sortDiagnostics([...diagnostics, ...merged.diagnostics]),
    hash: projectHash(found, texts),
  };
}

/** The `fenzi.lock` beside a repository's file. */
function readLock(
  host: Host,
  layer: LayerName,
  file: string | null,
): {
  readonly text: FileText | null;
  readonly pins: ReadonlyMap<string, Pins>;
  readonly diagnostics: readonly Diagnostic[];
} {
  const none = { text: null, pins: new Map(), diagnostics: [] };
  if (file === null) return none;
  const read = readFile(host, file, false);
  if (read.value === null) return { ...none, diagnostics: read.diagnostics };
  const parsed = parseYaml(file, read.value.text);
  const valid =
    parsed.value === null || hasErrors(parsed.diagnostics)
      ? { value: null, diagnostics: [] }
      : validateLock(parsed.value, layer);
  return {
    text: read.value,
    pins: valid.value ?? new Map(),
    diagnostics: [...parsed.diagnostics, ...valid.diagnostics],
  };
}

/** Without a home `~` leads to the root of the disk, which is nobody's. */
function homeOf(host: Host): string {
  try {
    return host.home;
  } catch {
    return "/";
  }
}

/** Its lines are private files beside the lists of the layers. It is read once, and a part of what is trusted. */
function readIgnore(
  host: Host,
  { ignoreFile, project, repository }: Discovery,
  texts: Map<string, FileText>,
): Result<readonly PrivateList[]> {
  if (ignoreFile === null) return { value: [], diagnostics: [] };
  const read = readFile(host, ignoreFile, false);
  if (read.value === null)
    return { value: null, diagnostics: read.diagnostics };
  texts.set(ignoreFile, read.value);
  const layer = project === repository ? "project" : "root";
  return {
    value: [
      {
        kind: ".fenziignore",
        folder: dirname(read.value.real),
        lines: parseIgnore(ignoreFile, read.value.text).map(
          ({ value, at }) => ({ value, origin: { layer, at } }),
        ),
      },
    ],
    diagnostics: [],
  };
}

/**
 * What trust is bound to for one file of the repository: its own SHA-256, and where there is a `.fenziignore` the SHA-256
 * of both hashes, so that a line that is taken out of it has to be looked at as well.
 */
export function trustedHash(
  { texts, found }: Pick<Project, "texts" | "found">,
  file: FileText,
): string {
  const ignore = found.ignoreFile && texts.get(found.ignoreFile);
  return ignore ? hashTogether([file.hash, ignore.hash]) : file.hash;
}

/** Parses and validates one file's text. */
export function parseDocument(
  layer: LayerDocument["layer"],
  file: Pick<FileText, "file" | "text" | "hash"> & {
    /** The real path of its folder; absent where nothing depends on it. */
    readonly folder?: string;
  },
): Result<LayerDocument> {
  const parsed = parseYaml(file.file, file.text);
  if (parsed.value === null)
    return { value: null, diagnostics: parsed.diagnostics };
  const valid = validateFile(
    parsed.value,
    isOuterLayer(layer) ? "machine" : "project",
  );
  // What the parser refused is absent from the value: that it is missing is no mistake of its own.
  const diagnostics = [
    ...parsed.diagnostics,
    ...valid.diagnostics.filter(
      (d) => parsed.diagnostics.length === 0 || !FOLLOWS.has(d.code),
    ),
  ];
  if (valid.value === null || hasErrors(parsed.diagnostics))
    return { value: null, diagnostics };
  const { source, value } = valid.value;
  return {
    value: {
      layer,
      file: file.file,
      hash: file.hash,
      folder: isOuterLayer(layer) ? null : (file.folder ?? dirname(file.file)),
      value,
      locate: source.locate,
      locked: new Map(),
    },
    diagnostics,
  };
}

/** Findings that an absent key alone can cause. */
const FOLLOWS = new Set([
  "schema/missing-key",
  "server/no-tools",
  "server/wrong-transport",
]);

/**
 * One hash for all files of the repository that count: the file's own SHA-256 when there is one, else the SHA-256 of
 * their hashes, outermost first, a `.fenziignore` last, each followed by a line feed. Null without a file, and when one of
 * them cannot be read.
 */
function projectHash(
  found: Discovery,
  texts: ReadonlyMap<string, FileText>,
): string | null {
  const files = found.files
    .filter(({ layer }) => layer !== "machine")
    .map(({ file }) => file);
  if (files.length === 0) return null;
  if (found.ignoreFile !== null) files.push(found.ignoreFile);
  const hashes = files.flatMap((file) => texts.get(file)?.hash ?? []);
  return hashes.length < files.length ? null : hashTogether(hashes);
}

export interface CompileOptions {
  readonly emitters: readonly Emitter[];
  /** The folder that gets one compiled folder for each agent; null: below the state folder. */
  readonly out: string | null;
  /** Where `out` will be seen by the agents (`--at`); null: where it is. */
  readonly at: string | null;
  /** Where the project will be seen by the agents (`--workdir`); null: where it is. */
  readonly workdir: string | null;
  readonly allowUnenforced: boolean;
  /** How an agent reaches remote servers; absent: directly. */
  readonly way?: (agent: string) => Way;
}

/** Its diagnostics are all that there is to say of this agent. */
export interface CompiledAgent extends EmittedAgent {
  readonly emitter: Emitter;
  /** The compiled folder as it is on this machine. */
  readonly folder: string;
}

/** Emits for every agent. Pure but for the paths of the host. */
export function compile(
  host: Host,
  model: Model,
  options: CompileOptions,
): {
  readonly agents: readonly CompiledAgent[];
  readonly diagnostics: readonly Diagnostic[];
} {
  const out =
    options.out ??
    join(stateFolder(host), "agents", projectId(host, model.project));
  const compiled = options.emitters.map((emitter): CompiledAgent => {
    const folder = join(out, emitter.target);
    const seen =
      options.at === null ? folder : join(options.at, emitter.target);
    const mounted = (path: string) =>
      options.workdir === null
        ? path
        : join(options.workdir, relative(model.project, path));
    const servers = deliver(
      model,
      emitter.filter,
      {
        project: mounted(model.project),
        home: (file) => mounted(dirname(file)),
        own: (server) =>
          options.at === null
            ? join(stateFolder(host), "servers", server)
            : join(seen, "servers", server),
      },
      options.way?.(emitter.target) ?? { kind: "direct" },
    );
    const emitted = emitFor(
      emitter,
      servers,
      {
        folder: seen,
        project: mounted(model.project),
        repository: mounted(model.repository),
      },
      model.agents,
      options,
    );
    return { ...emitted, emitter, folder };
  });
  return {
    agents: compiled.map((agent) => ({
      ...agent,
      diagnostics: [...agent.diagnostics, ...notEnforced([agent])],
    })),
    diagnostics: sortDiagnostics([
      ...airGapWarnings(model),
      ...(options.way === undefined ? socketWarnings(model) : []),
      ...compiled.flatMap((agent) => agent.diagnostics),
      ...notEnforced(compiled),
    ]),
  };
}

/** An agent's own files in the project, with every server behind `fenzi guard`; without a model with none. Pure. */
export function emitProject(
  emitter: Emitter,
  project: string,
  model: Model | null,
  others: readonly OtherServer[],
): {
  readonly emission: ProjectEmission;
  /** Variables that the servers' entries name. */
  readonly needs: readonly string[];
} {
  const places = { project, home: dirname, own: (server: string) => server };
  const servers =
    model === null
      ? []
      : deliver(model, emitter.filter, places, { kind: "guard" });
  return {
    emission: emitSharedFor(emitter, servers, { project, others }),
    needs: [...new Set(servers.flatMap((s) => s.guard?.needs ?? []))].sort(),
  };
}

/** A name for a project that two projects never share: its folder's name and a hash of its real path. */
function projectId(host: Host, project: string): string {
  const real = host.files.realpath(project);
  const name = basename(real)
    .replace(/[^A-Za-z0-9._-]+/g, "-")
    .replace(/^[.-]+/, "")
    .slice(0, 40);
  return `${name === "" ? "project" : name}-${sha256(real).slice(0, 12)}`;
}
