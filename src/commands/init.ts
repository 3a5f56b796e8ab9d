// `fenzi init`: a first fenzi.yaml, with what a newcomer needs to know in comments.
import { join } from "node:path";
import { report } from "../diagnostics/catalog.ts";
import type { Host } from "../host/host.ts";
import { writeChange } from "../plan/write.ts";
import { PROJECT_FILE } from "../read/discover.ts";
import { terminal } from "../views/terminal.ts";
import type { Exit } from "./outcome.ts";

const STARTER = `# The MCP servers of this project, for every coding agent.
version: 1
mcp: {}
`;

/** Files of other tools that \`fenzi mcp import\` reads. */
const FOREIGN = [".mcp.json", ".cursor/mcp.json", ".vscode/mcp.json"];

export function init(host: Host): Exit {
  const view = terminal(host);
  const file = join(host.cwd, PROJECT_FILE);
  try {
    if (host.files.lstat(file) !== null) {
      view.out(`${PROJECT_FILE} is already there; nothing was changed`);
      return 0;
    }
  } catch {
    // The folder cannot be searched: writing says so.
  }
  const written = writeChange(
    host,
    { path: file, before: null, text: STARTER },
    0o644,
  );
  if (written !== "written") {
    view.diagnostics(
      [
        written === "changed-meanwhile"
          ? report("write/changed-meanwhile", { file })
          : written,
      ],
      new Map(),
    );
    return 3;
  }
  view.out(`made ${PROJECT_FILE}`);
  const foreign = FOREIGN.filter(
    (name) => host.files.stat(join(host.cwd, name))?.kind === "file",
  );
  if (foreign.length > 0)
    view.out(`bring in the servers of ${foreign.join(", ")}: fenzi mcp import`);
  view.out(
    "add a server: fenzi mcp add NAME URL --tool TOOL, or fenzi mcp add NAME -- COMMAND",
  );
  return 0;
}
