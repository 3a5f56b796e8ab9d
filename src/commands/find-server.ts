// Where a server's entries stand in the files of a project, also when the files have errors.
import type { Project } from "../compile.ts";
import type { Span } from "../diagnostics/diagnostic.ts";
import type { LayerName } from "../model/model.ts";
import { parseYaml } from "../source/parse-yaml.ts";
import { serverShape, type ServerEntry } from "../../schemas/fenzi.ts";

interface NamedEntry {
  readonly name: string;
  /** Its name in the file. */
  readonly at: Span;
  /** Null when it has not the shape of a server. */
  readonly entry: ServerEntry | null;
}

export interface StandingEntry extends NamedEntry {
  readonly layer: LayerName;
  readonly file: string;
}

/** Every entry of every file, outermost first. */
export const allServers = (project: Project): readonly StandingEntry[] =>
  project.found.files.flatMap(({ layer, file }) =>
    entriesIn(file, project.texts.get(file)?.text ?? "").map((entry) => ({
      layer,
      file,
      ...entry,
    })),
  );

/** The entries of that name, outermost first. */
export const findServer = (
  project: Project,
  name: string,
): readonly StandingEntry[] =>
  allServers(project).filter((s) => s.name === name);

/** The entry of that name in a text; null when there is none, or when the text does not parse. */
export const entryIn = (
  file: string,
  text: string,
  name: string,
): NamedEntry | null =>
  entriesIn(file, text).find((e) => e.name === name) ?? null;

function entriesIn(file: string, text: string): readonly NamedEntry[] {
  const source = parseYaml(file, text).value;
  const mcp = (source?.value as { mcp?: unknown } | undefined)?.mcp;
  if (source === null || typeof mcp !== "object" || mcp === null) return [];
  return Object.entries(mcp).map(([name, entry]) => ({
    name,
    at: source.locate(["mcp", name], "key"),
    entry: serverShape.safeParse(entry).data ?? null,
  }));
}
