// Servers that `fenzi mcp add --preset` knows: packages in an exact version, each with the tools that a first policy
// allows. The tools were read from these very versions.
import type { YamlValue } from "../format/yaml-edit.ts";

export interface Preset {
  readonly name: string;
  /** A few words. */
  readonly about: string;
  readonly command: readonly [string, ...string[]];
  readonly allow: readonly string[];
  /** Those of them that only read; all others count as writing. */
  readonly reads: readonly string[];
  /** Rules beside the tools. */
  readonly rules: Readonly<Record<string, YamlValue>>;
  /** It is about the files of a project, so it has no place in the machine file. */
  readonly ofProject: boolean;
  /** Its work needs the network. */
  readonly needsNetwork: boolean;
  /** What is left to do, or null. */
  readonly next: string | null;
}

/** Nothing may be written, whatever a tool says of itself. */
const READ_ALL: Preset["rules"] = { paths: { read: ["**"] } };

const readsOnly = (
  preset: Pick<Preset, "name" | "about" | "command" | "allow"> &
    Partial<Preset>,
): Preset => ({
  reads: preset.allow,
  rules: {},
  ofProject: false,
  needsNetwork: false,
  next: null,
  ...preset,
});

const npm = (name: string, version: string): readonly [string, ...string[]] => [
  "npx",
  "-y",
  `@modelcontextprotocol/${name}@${version}`,
];

export const PRESETS: readonly Preset[] = [
  readsOnly({
    name: "filesystem",
    about: "reads the files of the project, writes none",
    command: [...npm("server-filesystem", "2026.8.31"), "."],
    allow: [
      "read_text_file",
      "read_media_file",
      "read_multiple_files",
      "list_directory",
      "list_directory_with_sizes",
      "directory_tree",
      "search_files",
      "get_file_info",
      "list_allowed_directories",
    ],
    rules: READ_ALL,
    ofProject: true,
    next: "to let it write, add tools such as `write_file` and a `paths.write`",
  }),
  readsOnly({
    name: "git",
    about: "reads the project's history and state, changes nothing",
    command: ["uvx", "mcp-server-git@2026.10.19", "--repository", "."],
    allow: [
      "git_status",
      "git_diff_unstaged",
      "git_diff_staged",
      "git_diff",
      "git_log",
      "git_show",
      "git_branch",
    ],
    rules: READ_ALL,
    ofProject: true,
  }),
  readsOnly({
    name: "memory",
    about: "a graph of notes that stays between runs; deleting is left out",
    command: npm("server-memory", "2026.8.31"),
    allow: [
      "create_entities",
      "create_relations",
      "add_observations",
      "read_graph",
      "search_nodes",
      "open_nodes",
    ],
  }),
  readsOnly({
    name: "sequential-thinking",
    about: "lets a model think in numbered steps",
    command: npm("server-sequential-thinking", "2026.8.31"),
    allow: ["sequentialthinking"],
  }),
  readsOnly({
    name: "fetch",
    about: "fetches web pages, of the hosts that you list",
    command: ["uvx", "mcp-server-fetch@2026.10.24"],
    allow: ["fetch"],
    rules: { hosts: { allow: [], ports: [443] } },
    needsNetwork: true,
    next: "list the hosts that it may reach under `hosts.allow`",
  }),
  readsOnly({
    name: "time",
    about: "tells the time and converts it between zones",
    command: ["uvx", "mcp-server-time@2026.10.19"],
    allow: ["get_current_time", "convert_time"],
  }),
  readsOnly({
    name: "everything",
    about: "the protocol's own test server; its environment stays its own",
    command: npm("server-everything", "2026.8.31"),
    allow: [
      "echo",
      "get-sum",
      "get-tiny-image",
      "get-annotated-message",
      "get-structured-content",
      "get-resource-links",
      "get-resource-reference",
      "trigger-long-running-operation",
    ],
  }),
];

/** The entry for a fenzi.yaml, its keys in the order in which they are written. */
export const presetEntry = ({
  command,
  allow,
  reads,
  rules,
}: Preset): Readonly<Record<string, YamlValue>> => ({
  command,
  tools: { allow, reads },
  ...rules,
});
