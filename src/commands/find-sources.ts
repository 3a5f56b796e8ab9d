// Which files `fenzi mcp import` reads: those that a person names, or the known ones of the project or of the home folder.
import { isAbsolute, join, resolve } from "node:path";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { Host } from "../host/host.ts";
import { isThere } from "../host/is-there.ts";
import type { ImportSource } from "../import/import-configs.ts";
import { readChosenFile } from "../read/read-chosen-file.ts";
import { readFile } from "../read/read-file.ts";

interface FoundSources {
  readonly sources: readonly ImportSource[];
  /** Files that could not be read; the diagnostics say why. */
  readonly unreadable: readonly string[];
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

/**
 * Files named on the command line; links are followed, as the person chose the path. A pattern that no shell has
 * replaced, as on Windows or in quotes, means the files that match it.
 */
export async function namedSources(
  host: Host,
  files: readonly string[],
): Promise<FoundSources> {
  const paths = new Set<string>();
  for (const file of files) {
    const path = resolve(host.cwd, file);
    const matching =
      /[*?[{]/.test(file) && !isThere(host.files, path)
        ? await host.files.glob(file, host.cwd)
        : [];
    for (const each of matching.length === 0 ? [path] : matching)
      paths.add(each);
  }
  return gather([...paths].map((path) => readChosen(host, path)));
}

/** The known files of a project. They come with the repository, so no link may lead out of their folder. */
export const projectSources = (host: Host, folder: string): FoundSources =>
  gather(
    present(host, folder, IN_PROJECT).map((file) => {
      const { value, diagnostics } = readFile(host, file, false);
      return { file, text: value?.text ?? null, diagnostics };
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
    .filter((file) => isThere(host.files, file));

function settingsFolder(host: Host): string {
  if (host.platform === "darwin")
    return join(host.home, "Library/Application Support");
  if (host.platform === "win32")
    return host.env["APPDATA"] ?? join(host.home, "AppData/Roaming");
  const base = host.env["XDG_CONFIG_HOME"] ?? "";
  return isAbsolute(base) ? base : join(host.home, ".config");
}

const readChosen = (host: Host, file: string): Read => {
  const { value, diagnostics } = readChosenFile(host, file);
  return { file, text: value, diagnostics };
};

interface Read {
  readonly file: string;
  readonly text: string | null;
  readonly diagnostics: readonly Diagnostic[];
}

const gather = (read: readonly Read[]): FoundSources => ({
  sources: read.flatMap(({ file, text }) =>
    text === null ? [] : [{ file, text }],
  ),
  unreadable: read.flatMap(({ file, text }) => (text === null ? [file] : [])),
  diagnostics: read.flatMap((r) => r.diagnostics),
});
