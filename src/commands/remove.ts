// `fenzi mcp remove`: takes a server out of the nearest file of the repository that has it, or out of the machine file.
import { loadProject, type Project } from "../compile.ts";
import { report } from "../diagnostics/catalog.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { removeServer } from "../format/yaml-edit.ts";
import type { Host } from "../host/host.ts";
import { nearest } from "../match/nearest.ts";
import type { VaultKey } from "../vault/key.ts";
import { printDiff, printEdited } from "../views/edited.ts";
import { shownRules } from "../policy/shown-rules.ts";
import { terminal } from "../views/terminal.ts";
import { editFile, isUntrusted, type TextEdit } from "./edit-file.ts";
import { allServers, findServer, type StandingEntry } from "./find-server.ts";
import { exitFor, type Exit } from "./outcome.ts";

export async function remove(
  host: Host,
  name: string,
  options: { readonly machine?: boolean; readonly dryRun?: boolean },
): Promise<Exit> {
  const view = terminal(host);
  const project = loadProject(host);
  const stop = (
    list: readonly Diagnostic[],
    texts: typeof project.texts = project.texts,
  ): Exit => {
    view.diagnostics(list, texts);
    view.note("nothing was written");
    return exitFor(list) || 1;
  };
  const all = findServer(project, name);
  const machine = options.machine === true;
  const found = all.findLast((s) => (s.layer === "machine") === machine);
  if (found === undefined) {
    // A file that does not parse may well have it.
    const unread = project.diagnostics.filter((d) => d.severity === "error");
    const other = all[0];
    if (other !== undefined)
      return stop([
        report(
          "edit/elsewhere",
          { name, file: view.show(other.file) },
          {
            help: machine
              ? "leave `--machine` out to take it out of there"
              : "`--machine` takes it out of there",
          },
        ),
      ]);
    return stop(
      unread.length > 0
        ? unread
        : [
            report("edit/no-server", {
              name,
              nearest: nearest(
                name,
                allServers(project).map((s) => s.name),
              ),
            }),
          ],
    );
  }
  let comments = 0;
  const edit: TextEdit = (text) => {
    const done = removeServer(text, name);
    if ("problem" in done)
      return {
        diagnostics: [
          report("write/cannot-edit", {
            file: view.show(found.file),
            reason: done.problem,
          }),
        ],
      };
    comments = done.comments.length;
    return { text: done.text };
  };
  const target = { file: found.file, machine };
  const dryRun = options.dryRun === true;
  const token = dryRun ? null : await tokenOf(host, project, found);
  const edited = await editFile(host, target, edit, {
    dryRun,
    carryTrust: true,
    lessIsFine: true,
  });
  if (!edited.done) return stop(edited.diagnostics, edited.project.texts);
  view.diagnostics(edited.diagnostics, edited.project.texts);
  if (dryRun) printDiff(view, { ...edited, file: found.file });
  else {
    // What an inner file narrowed is there again as the outer one has it: that is more than before.
    const left =
      edited.project.model?.servers.find((s) => s.name === name) ?? null;
    printEdited(view, {
      verb: left === null ? "removed" : "removed the narrowing of",
      name,
      file: found.file,
      isNew: false,
      server: left,
      tools: left === null ? null : shownRules(left),
      untrusted: isUntrusted(host, edited, found.file),
    });
    if (left !== null)
      view.note(`${name} stays, from ${view.show(left.origin.at.file)}`);
  }
  if (comments > 0)
    view.note(
      `${comments === 1 ? "a comment" : `${comments} comments`} inside the entry ${dryRun ? "would go" : "went"} with it`,
    );
  return token === null ? 0 : forget(host, token);
}

/** The key of a token that the keychain has for the entry that goes. */
async function tokenOf(
  host: Host,
  project: Project,
  { name, file }: StandingEntry,
): Promise<VaultKey | null> {
  const server = project.model?.servers.find((s) => s.name === name);
  if (
    server?.transport.kind !== "http" ||
    server.transport.token.kind === "none" ||
    server.origin.at.file !== file
  )
    return null;
  return (await import("./token-for.ts")).keptKey(host, server);
}

async function forget(host: Host, key: VaultKey): Promise<Exit> {
  const view = terminal(host);
  const { forgetToken } = await import("./token-for.ts");
  const done = await forgetToken(host, key);
  if (typeof done !== "string") {
    view.diagnostics(done, new Map());
    return 3;
  }
  view.note(
    done === "deleted"
      ? "its token is no longer in the keychain"
      : "its token stays in the keychain; adding the same server again finds it",
  );
  return 0;
}
