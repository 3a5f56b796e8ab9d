// Which files `fenzi mcp import` reads: those that a person names, or the known ones of the project or of the home folder.
import { join, resolve } from "node:path";
import { report } from "../diagnostics/catalog.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { Host } from "../host/host.ts";
import { systemReason } from "../host/system-reason.ts";
import { readFile } from "../read/read-file.ts";

export interface FoundSource {
  /** As it is shown to people. */
  readonly file: string;
  readonly text: string;
}

export interface FoundSources {
  readonly sources: readonly FoundSource[];
  readonly diagnostics: readonly Diagnostic[];
}

const IN_PROJECT: readonly string[] = [
  ".mcp.json",
  ".cursor/mcp.json",
  ".vscode/mcp.json",
  ".gemini/settings.json",
  ".roo/mcp.json",
  ".kiro/settings/mcp.json",
  ".amazonq/mcp.json",
  ".junie/mcp/mcp.json",
  ".qwen/settings.json",
];

const IN_HOME: readonly string[] = [
  ".claude.json",
  ".cursor/mcp.json",
  ".gemini/settings.json",
  ".codeium/windsurf/mcp_config.json",
  ".kiro/settings/mcp.json",
  ".aws/amazonq/mcp.json",
  ".lmstudio/mcp.json",
  ".qwen/settings.json",
];

/** Below the folder in which programs keep their settings, which differs between systems. */
const IN_SETTINGS: readonly string[] = [
  "Claude/claude_desktop_config.json",
  "Code/User/mcp.json",
];

/** Files named on the command line; links are followed, as the person chose the path. */
export const namedSources = (
  host: Host,
  files: readonly string[],
): FoundSources =>
  gather(files.map((file) => readChosen(host, resolve(host.cwd, file))));

/** The known files of a project. They come with the repository, so no link may lead out of their folder. */
export const projectSources = (host: Host, folder: string): FoundSources =>
  gather(
    present(host, folder, IN_PROJECT).map((file) => {
      const { value, diagnostics } = readFile(host, file, false);
      return value === null ? diagnostics : { file, text: value.text };
    }),
  );

/** The known files of this machine's user. */
export const homeSources = (host: Host): FoundSources =>
  gather(
    [
      ...present(host, host.home, IN_HOME),
      ...present(host, settingsFolder(host), IN_SETTINGS),
    ].map((file) => readChosen(host, file)),
  );

const present = (
  host: Host,
  folder: string,
  names: readonly string[],
): readonly string[] =>
  names
    .map((name) => join(folder, name))
    .filter((file) => host.files.lstat(file) !== null);

function settingsFolder(host: Host): string {
  if (host.platform === "darwin")
    return join(host.home, "Library/Application Support");
  if (host.platform === "win32")
    return host.env["APPDATA"] ?? join(host.home, "AppData/Roaming");
  return host.env["XDG_CONFIG_HOME"] || join(host.home, ".config");
}

const gather = (
  read: readonly (FoundSource | readonly Diagnostic[])[],
): FoundSources => ({
  sources: read.flatMap((r) => ("text" in r ? [r] : [])),
  diagnostics: read.flatMap((r) => ("text" in r ? [] : r)),
});

/** Agents keep their history in some of these files, so they may be larger than ours. */
const MOST_BYTES = 32 * 1024 * 1024;

function readChosen(
  host: Host,
  file: string,
): FoundSource | readonly Diagnostic[] {
  try {
    const bytes = host.files.read(host.files.realpath(file), MOST_BYTES);
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return { file, text };
  } catch (error) {
    const code =
      error instanceof TypeError && !("errno" in error)
        ? "not-utf8"
        : ((error as NodeJS.ErrnoException).code ?? "unknown");
    return [problem(file, code)];
  }
}

function problem(file: string, code: string): Diagnostic {
  if (code === "ERR_ENCODING_INVALID_ENCODED_DATA" || code === "not-utf8")
    return report("read/not-utf8", { file });
  if (code === "not-a-file" || code === "EISDIR" || code === "ENXIO")
    return report("read/not-a-file", { file });
  if (code === "too-large")
    return report("read/too-large", { file, limit: "32 MiB" });
  return report("read/not-readable", { file, reason: systemReason(code) });
}
