// `fenzi init [-- COMMAND ARG…]`: a first fenzi.yaml, with what a newcomer needs to know in comments. A command that is
// typed behind `--` is started once and asked for its tools, which are then listed by name.
import { join } from "node:path";
import { loadProject } from "../compile.ts";
import { report } from "../diagnostics/catalog.ts";
import { hasErrors, type Diagnostic } from "../diagnostics/diagnostic.ts";
import { wrap } from "../diagnostics/wrap.ts";
import { starter, type StarterServer } from "../format/starter.ts";
import type { Host } from "../host/host.ts";
import { isExactRule } from "../match/tool-pattern.ts";
import { writeChange } from "../plan/write.ts";
import { PROJECT_FILE } from "../read/discover.ts";
import { terminal } from "../views/terminal.ts";
import { editFile, type Edited } from "./edit-file.ts";
import { exitFor, type Exit } from "./outcome.ts";

/** Files of other tools that \`fenzi mcp import\` reads. */
const FOREIGN = [".mcp.json", ".cursor/mcp.json", ".vscode/mcp.json"];

export async function init(
  host: Host,
  command: readonly string[] | null,
): Promise<Exit> {
  const view = terminal(host);
  const file = join(host.cwd, PROJECT_FILE);
  try {
    if (host.files.lstat(file) !== null) {
      view.out(`${PROJECT_FILE} is already there; nothing was changed`);
      if (command !== null)
        view.out("add a server to it: fenzi mcp add NAME -- COMMAND");
      return 0;
    }
  } catch {
    // The folder cannot be searched: writing says so.
  }
  if (command !== null) return initWith(host, file, command);
  const written = writeChange(
    host,
    { path: file, before: null, text: starter() },
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
    "add a server: fenzi mcp add NAME URL, or fenzi mcp add NAME -- COMMAND ARG…",
  );
  return 0;
}

/** With one server, which is trusted: the person has just typed its command. */
async function initWith(
  host: Host,
  file: string,
  command: readonly string[],
): Promise<Exit> {
  const view = terminal(host);
  const fail = (
    problems: readonly Diagnostic[],
    texts: Edited["project"]["texts"],
  ): Exit => {
    view.diagnostics(problems, texts);
    view.note("nothing was written");
    return exitFor(problems) || 1;
  };
  const server = await offered(host, file, command);
  if ("problems" in server) return fail(server.problems, new Map());
  const edited = await editFile(
    host,
    { file, machine: false },
    () => ({ text: starter(server) }),
    { dryRun: false, carryTrust: true, lessIsFine: false },
  );
  if (!edited.done) return fail(edited.diagnostics, edited.project.texts);
  const { name, tools } = server;
  view.out(`made ${PROJECT_FILE} with ${name}, of which these may be called:`);
  for (const line of wrap(tools.join(", "), 78)) view.out(`  ${line}`);
  view.out(`take out what you do not want, then: fenzi mcp pin ${name}`);
  return 0;
}

/** Starts the command, which the person has just typed, and asks it for its tools. */
async function offered(
  host: Host,
  file: string,
  command: readonly string[],
): Promise<StarterServer | { readonly problems: readonly Diagnostic[] }> {
  const { readWanted } = await import("./read-wanted.ts");
  const { secretsIn } = await import("./add-edit.ts");
  const { nameOfCommand } = await import("../import/name-of-command.ts");
  const name = nameOfCommand(command);
  const secrets = secretsIn(readWanted({ name, words: [], command }, {}));
  if (secrets.length > 0) return { problems: secrets };
  const text = starter({ name, command, tools: [] });
  const { model, diagnostics } = loadProject(host, new Map([[file, text]]));
  const server = model?.servers.find((each) => each.name === name);
  if (model === null || server === undefined || hasErrors(diagnostics))
    return { problems: diagnostics };
  const { askOffer } = await import("./ask-offer.ts");
  const asked = await askOffer(host, model, server);
  // The file with its places is not there.
  if ("problems" in asked)
    return { problems: asked.problems.map((p) => ({ ...p, at: null })) };
  const { tools } = asked.offer;
  const usable = tools.filter(
    (tool) => tool.problem === null && isExactRule(tool.name),
  );
  if (usable.length === 0)
    return {
      problems: [report("pin/no-answer", { name, reason: "offers no tool" })],
    };
  return { name, command, tools: [...new Set(usable.map((t) => t.name))] };
}
