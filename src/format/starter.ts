// The text of a first fenzi.yaml.
import { isProblem } from "./yaml-source.ts";
import { setServer, type YamlValue } from "./yaml-edit.ts";

const EMPTY = `# The MCP servers of this project, for every coding agent.
version: 1
mcp: {}
`;

/** A server to begin with: a command, and the tools of it that may be called. */
export interface StarterServer {
  readonly name: string;
  /** At least one word. */
  readonly command: readonly string[];
  readonly tools: readonly string[];
}

/** The text of a first fenzi.yaml: without a server, or with this one. */
export function starter(server: StarterServer | null = null): string {
  if (server === null) return EMPTY;
  const { name, command, tools } = server;
  const entry: Readonly<Record<string, YamlValue>> = {
    command,
    tools: { allow: tools },
  };
  const done = setServer(EMPTY, name, entry);
  if (isProblem(done)) throw new TypeError(done.problem);
  return done.text;
}
