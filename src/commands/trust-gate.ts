// Before anything is written or started for servers that a repository adds, a person has seen them.
import { trustedHash, type Project } from "../compile.ts";
import { report } from "../diagnostics/catalog.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { canAsk } from "../host/can-ask.ts";
import type { Host } from "../host/host.ts";
import { isOuterLayer } from "../match/outer-layer.ts";
import type { Server } from "../model/model.ts";
import { stateFolder } from "../read/discover.ts";
import { addTrust, readTrust, type TrustedFile } from "../state/trust.ts";
import { describeAdditions, isMachineProgram } from "../views/additions.ts";
import { terminal } from "../views/terminal.ts";
import { sha256 } from "../sha256.ts";

/** What of these a person has not trusted; by default the files of the repository that add servers. */
export function untrustedFiles(
  host: Host,
  project: Project,
  adding: readonly TrustedFile[] = addingFiles(project),
): {
  readonly files: readonly TrustedFile[];
  readonly diagnostics: readonly Diagnostic[];
} {
  if (adding.length === 0) return { files: [], diagnostics: [] };
  const trusted = readTrust(host, stateFolder(host));
  if (trusted.value === null)
    return { files: adding, diagnostics: trusted.diagnostics };
  const map = trusted.value;
  return {
    files: adding.filter((f) => map.get(f.file) !== f.hash),
    diagnostics: [],
  };
}

/** Files of the repository that add servers, with the bytes that were read. */
export const addingFiles = (project: Project): readonly TrustedFile[] =>
  (project.model?.layers ?? []).flatMap((layer) => {
    const read = project.texts.get(layer.file);
    return layer.adds && read !== undefined
      ? [{ file: read.real, hash: trustedHash(project, read) }]
      : [];
  });

/**
 * What a person trusts so that the machine's local servers are started here: the files of the repository, or the folder
 * itself when there are none.
 */
export function startingFiles(
  host: Host,
  project: Project,
): readonly TrustedFile[] {
  const { model, texts } = project;
  if (model === null || !model.servers.some(isMachineProgram)) return [];
  const files = model.layers.flatMap(({ layer, file }) => {
    const read = texts.get(file);
    return (layer === "root" || layer === "project") && read !== undefined
      ? [{ file: read.real, hash: trustedHash(project, read) }]
      : [];
  });
  return files.length > 0
    ? files
    : [{ file: host.files.realpath(model.project), hash: sha256("") }];
}

/**
 * Whether one server may be started or contacted here: nobody is asked. One that the repository adds waits for the trust
 * of its file, a program of this machine for that of the folder.
 */
export function startProblems(
  host: Host,
  project: Project,
  server: Server,
): readonly Diagnostic[] {
  const outer = isOuterLayer(server.origin.layer);
  if (outer && server.transport.kind === "http") return [];
  const { real } = project.texts.get(server.origin.at.file) ?? {};
  const missing = untrustedFiles(
    host,
    project,
    outer
      ? startingFiles(host, project)
      : addingFiles(project).filter(({ file }) => file === real),
  );
  if (missing.diagnostics.length > 0 || missing.files.length === 0)
    return missing.diagnostics;
  return outer
    ? [
        report(
          "guard/untrusted-folder",
          { name: server.name },
          { at: server.origin.at, help: LOOK },
        ),
      ]
    : [report("trust/untrusted", {}, { at: server.origin.at, help: LOOK })];
}

const LOOK = "look at it with `fenzi trust`, then start again";

/** The value of `--trust`: absent, given without a hash, or a hash to compare with. */
export type TrustFlag = true | string | undefined;

/**
 * Lets pass when the project is trusted, by the state or by the flag; asks on a terminal; otherwise says what is
 * missing. Nothing is written, started or contacted before it returns no diagnostics.
 */
export async function passTrust(
  host: Host,
  project: Project,
  flag: TrustFlag,
): Promise<readonly Diagnostic[]> {
  if (typeof flag === "string") {
    const found = project.hash ?? "";
    return flag.toLowerCase() === found
      ? []
      : [
          report(
            "trust/wrong-hash",
            { expected: flag, found },
            { help: "look at what changed, then pin the new hash" },
          ),
        ];
  }
  if (flag === true) return [];
  const { files, diagnostics } = untrustedFiles(host, project);
  if (diagnostics.length > 0 || files.length === 0) return diagnostics;
  if (canAsk(host)) return askTrust(host, project, files);
  return untrusted(project, files);
}

const untrusted = (
  project: Project,
  files: readonly TrustedFile[],
): readonly Diagnostic[] =>
  files.map(({ file, hash }) => {
    const shown = [...project.texts.values()].find((t) => t.real === file);
    const added = project.model?.servers
      .filter((s) => s.origin.at.file === shown?.file)
      .sort((a, b) => a.origin.at.start.offset - b.origin.at.start.offset);
    return report(
      "trust/untrusted",
      {},
      {
        at: added?.[0]?.origin.at ?? null,
        help: `look at it with \`fenzi trust\`, or pin it: \`--trust=${project.hash ?? hash}\``,
      },
    );
  });

/** Shows every command line, URL and variable, asks, and keeps the answer. */
export async function askTrust(
  host: Host,
  project: Project,
  files: readonly TrustedFile[],
): Promise<readonly Diagnostic[]> {
  const { note } = terminal(host);
  for (const line of describeAdditions(host, project)) note(line);
  if (!(await host.prompts.confirm("Trust these servers?")))
    return untrusted(project, files).map((d) => ({
      ...d,
      help: "nothing was written; `fenzi trust` asks again",
    }));
  const kept = await addTrust(host, stateFolder(host), files);
  return kept.diagnostics;
}
