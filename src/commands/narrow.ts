// `fenzi mcp narrow [NAME]`: the smallest list of tools that covers what the logs show was called here. Only names that
// the rules allow now come into it, so nothing is ever widened.
import { openLog } from "../audit/read-log.ts";
import type { Project } from "../compile.ts";
import { loadProject } from "../compile.ts";
import { given } from "../deliver/deliver.ts";
import { report } from "../diagnostics/catalog.ts";
import { hasErrors, type Diagnostic } from "../diagnostics/diagnostic.ts";
import { policyOf } from "../enforce/road.ts";
import { setServer, type YamlValue } from "../format/yaml-edit.ts";
import type { Host } from "../host/host.ts";
import type { Model, Server } from "../model/model.ts";
import { decide } from "../policy/decide.ts";
import { printDiff } from "../views/edited.ts";
import { terminal } from "../views/terminal.ts";
import { chooseTarget, editFile, type TextEdit } from "./edit-file.ts";
import { entryIn } from "./find-server.ts";
import { logFolder } from "./log-folder.ts";
import { exitFor, type Exit } from "./outcome.ts";
import { serverNamed } from "./server-named.ts";

export async function narrow(
  host: Host,
  name: string | null,
  options: { readonly write?: boolean },
): Promise<Exit> {
  const view = terminal(host);
  const project = loadProject(host);
  const { model, texts } = project;
  const fail = (problems: readonly Diagnostic[]): Exit => {
    view.diagnostics(problems, texts);
    return exitFor(problems) || 1;
  };
  if (model === null || hasErrors(project.diagnostics))
    return fail(project.diagnostics);
  const named = name === null ? null : serverNamed(model, name);
  if (named !== null && "code" in named) return fail([named]);
  const servers = named === null ? given(model) : [named];
  if (servers.length === 0) view.note("there is no server to narrow");
  const used = usedTools(host, project);
  const lists = new Map<string, readonly string[]>();
  for (const server of servers) {
    const tools = stillAllowed(model, server, used.get(server.name));
    if (tools.length === 0)
      view.note(
        `${server.name}: the logs show no call that was allowed here, so there is nothing to go by`,
      );
    else if (isList(server, tools))
      view.note(`${server.name}: its list is what was called`);
    else lists.set(server.name, tools);
  }
  if (lists.size === 0) return 0;

  const target = chooseTarget(host, {});
  const edited = await editFile(host, target, listing(target.file, lists), {
    dryRun: options.write !== true,
    carryTrust: true,
    lessIsFine: false,
  });
  view.diagnostics(edited.diagnostics, edited.project.texts);
  if (!edited.done) return exitFor(edited.diagnostics) || 1;
  const shown = { ...edited, file: target.file };
  if (options.write !== true) {
    printDiff(view, shown);
    view.note("`--write` writes it");
    return 0;
  }
  for (const [server, tools] of lists)
    view.out(`narrowed ${server} to ${tools.join(", ")}`);
  view.note("agents see it from their next start");
  return 0;
}

/** The tools that were called and let through under the files that count here, by server. */
function usedTools(
  host: Host,
  project: Project,
): ReadonlyMap<string, ReadonlySet<string>> {
  const files = project.found.files.map(({ file }) => file);
  const used = new Map<string, Set<string>>();
  for (const row of openLog(host, logFolder(host)).rows()) {
    if (row.effect !== "allow" || row.method !== "tools/call") continue;
    // A row says which rule let the call through; a log is of all projects of a person.
    const file = /\((.+):\d+:\d+\)$/.exec(row.reason)?.[1];
    if (row.tool === null || file === undefined || !files.includes(file))
      continue;
    const tools = used.get(row.server) ?? new Set();
    used.set(row.server, tools.add(row.tool));
  }
  return used;
}

const stillAllowed = (
  model: Model,
  server: Server,
  tools: ReadonlySet<string> | undefined,
): readonly string[] => {
  const policy = policyOf(server, model);
  return [...(tools ?? [])]
    .filter((tool) => decide(policy, { tool }).effect !== "deny")
    .sort();
};

/** Whether the innermost list is just that. */
function isList(server: Server, tools: readonly string[]): boolean {
  const allow = server.tools.at(-1)?.allow;
  return (
    allow?.kind === "only" &&
    allow.rules.length === tools.length &&
    allow.rules.every(({ text }) => tools.includes(text))
  );
}

const listing =
  (file: string, lists: ReadonlyMap<string, readonly string[]>): TextEdit =>
  (before) => {
    let text = before;
    for (const [name, allow] of lists) {
      const entry = entryIn(file, text, name)?.entry;
      const old = entry?.tools === "all" ? {} : (entry?.tools ?? {});
      const listed = (rules: readonly string[] | undefined) =>
        rules?.filter((rule) => rule.includes("*") || allow.includes(rule));
      const ask = listed(old.ask);
      const reads = listed(old.reads);
      const tools: Record<string, YamlValue> = { allow };
      if (ask !== undefined && ask.length > 0) tools["ask"] = ask;
      if (old.deny !== undefined) tools["deny"] = old.deny;
      if (reads !== undefined && reads.length > 0) tools["reads"] = reads;
      const done = setServer(text, name, { tools });
      if ("problem" in done)
        return {
          diagnostics: [
            report("write/cannot-edit", { file, reason: done.problem }),
          ],
        };
      ({ text } = done);
    }
    return { text };
  };
