// `fenzi mcp add`: a server, or rules for one, into the nearest `fenzi.yaml` or the machine file. Everything that can be
// wrong is found before a question is asked or the server is contacted, and again when the file is written.
import { report } from "../diagnostics/catalog.ts";
import { hasErrors, type Diagnostic } from "../diagnostics/diagnostic.ts";
import { canAsk } from "../host/can-ask.ts";
import type { Host } from "../host/host.ts";
import type { HttpTransport, Server } from "../model/model.ts";
import { shownRules } from "../policy/shown-rules.ts";
import type { Secret } from "../vault/secret.ts";
import { printDiff, printEdited } from "../views/edited.ts";
import { terminal } from "../views/terminal.ts";
import { addEdit, secretsIn } from "./add-edit.ts";
import type { ChosenTools } from "./choose-tools.ts";
import {
  chooseTarget,
  editFile,
  isUntrusted,
  type Edited,
} from "./edit-file.ts";
import { listsTools } from "./edit-entry.ts";
import { entryIn } from "./find-server.ts";
import { exitFor, UsageError, type Exit } from "./outcome.ts";
import {
  readWanted,
  type AddOptions,
  type AddWords,
  type Wanted,
} from "./read-wanted.ts";

export async function add(
  host: Host,
  words: AddWords,
  options: AddOptions,
): Promise<Exit> {
  const view = terminal(host);
  const target = chooseTarget(host, options);
  const dryRun = options.dryRun === true;
  const stop = (
    list: readonly Diagnostic[],
    texts: Texts,
    exit: Exit = exitFor(list) || 1,
  ) => {
    view.diagnostics(list, texts);
    view.note("nothing was written");
    return exit;
  };
  let wanted = readWanted(words, options);
  const swallowed = OWN_FLAGS.filter((f) => words.command?.includes(f));
  if (swallowed.length > 0)
    view.note(
      `${swallowed.join(", ")} behind \`--\` goes to the command; fenzi's own flags go before`,
    );
  const secrets = secretsIn(wanted);
  if (secrets.length > 0) return stop(secrets, new Map());
  const edit = () =>
    addEdit({
      target,
      wanted,
      update: options.update === true,
      show: view.show,
    });
  const plain = { dryRun: true, carryTrust: false, lessIsFine: false };
  const tried = await editFile(host, target, edit(), plain);
  const { texts } = tried.project;
  if (!tried.done) return stop(tried.diagnostics, texts);
  const closed = presetProblem(tried, wanted);
  if (closed !== null) return stop([closed], texts);
  const server = serverIn(tried, wanted.name);
  const there = entryIn(target.file, tried.before ?? "", wanted.name);
  const remote = definedHere(server, target.file);
  const toAsk =
    remote !== null &&
    wanted.transport !== null &&
    !listsTools(wanted, there?.entry ?? null);
  if (toAsk) checkQuestion(host, wanted);

  const owner = remote === null || dryRun ? null : server;
  const token = await askedToken(host, wanted, owner, toAsk);
  if (token !== null && "code" in token) return stop([token], texts);
  if (toAsk && server !== null) {
    const chosen = await offerTools(host, wanted, server, remote, token);
    if ("problem" in chosen) return stop([chosen.problem], texts, 3);
    if (chosen.tools.length === 0) view.note("no tool was chosen");
    if (chosen.tools.length === 0) return stop([], texts);
    wanted = { ...wanted, allow: chosen.tools };
  }

  const edited = await editFile(host, target, edit(), {
    dryRun,
    carryTrust: true,
    lessIsFine: false,
  });
  if (!edited.done) return stop(edited.diagnostics, edited.project.texts);
  view.diagnostics(edited.diagnostics, edited.project.texts);
  if (dryRun) printDiff(view, { ...edited, file: target.file });
  else
    printEdited(view, {
      verb: there === null ? "added" : "changed",
      name: wanted.name,
      file: target.file,
      isNew: edited.before === null,
      ...shownIn(edited, wanted.name),
      untrusted: isUntrusted(host, edited, target.file),
    });
  if (wanted.preset?.next != null) view.note(wanted.preset.next);
  return dryRun ? 0 : storeAsked(host, edited, wanted, token);
}

/** A server whose work needs the network has nothing to do where `airGap` is on. */
function presetProblem(
  { project }: Edited,
  { preset }: Wanted,
): Diagnostic | null {
  const airGap = project.model?.airGap ?? "off";
  return preset === null ||
    !preset.needsNetwork ||
    airGap === "off" ||
    !airGap.value
    ? null
    : report(
        "edit/preset-network",
        { preset: preset.name },
        { at: airGap.origin.at },
      );
}

function shownIn(edited: Edited, name: string) {
  const server = serverIn(edited, name);
  return { server, tools: server === null ? null : shownRules(server) };
}

/** Flags that hardly any server has: behind `--` they are a mistake more often than not. */
const OWN_FLAGS: readonly string[] = [
  "--tool",
  "--all-tools",
  "--deny",
  "--ask",
  "--machine",
  "--here",
  "--update",
  "--dry-run",
];

type Texts = Edited["project"]["texts"];

const serverIn = (edited: Edited, name: string): Server | null =>
  edited.project.model?.servers.find((s) => s.name === name) ?? null;

/** Its remote transport, when this file is the one that gives it. */
const definedHere = (
  server: Server | null,
  file: string,
): HttpTransport | null =>
  server?.transport.kind === "http" && server.origin.at.file === file
    ? server.transport
    : null;

/** A remote server without a list of tools: only a person at a terminal can be offered one. */
function checkQuestion(host: Host, wanted: Wanted): void {
  const rule = wanted.deny !== null ? "--deny" : "--ask";
  if (wanted.deny !== null || wanted.ask !== null)
    throw new UsageError(
      `\`${rule}\` takes tools away, and of a remote server none is allowed yet`,
      "give `--tool TOOL` (may be repeated) or `--all-tools` as well",
    );
  if (!canAsk(host))
    throw new UsageError(
      "a remote server's tools have to be named",
      "`--tool TOOL` (may be repeated), or `--all-tools` for all, now and later",
    );
}

/** The checklist. Only headers of this command line are sent: the file's own may not have been looked at. */
async function offerTools(
  host: Host,
  wanted: Wanted,
  server: Server,
  remote: HttpTransport,
  token: Secret | null,
): Promise<ChosenTools> {
  const { chooseTools } = await import("./choose-tools.ts");
  const { storedToken } = await import("./token-for.ts");
  const headers = remote.headers.filter((h) =>
    Object.hasOwn(wanted.headers, h.name),
  );
  return chooseTools(
    host,
    wanted.name,
    { ...remote, headers },
    token ?? (await storedToken(host, server)),
  );
}

/** What a person types, what is wrong with it, or null: later, or nobody can be asked. */
async function askedToken(
  host: Host,
  wanted: Wanted,
  server: Server | null,
  needed: boolean,
): Promise<Secret | null | Diagnostic> {
  if (!wanted.token || server?.transport.kind !== "http" || !canAsk(host))
    return null;
  const { noStore, askToken } = await import("./token-for.ts");
  if (!needed && (await noStore(host, server)).length > 0) return null;
  const { token } = server.transport;
  const header = token.kind === "header" ? token.header : "Authorization";
  return askToken(host, wanted.name, header);
}

/** The token goes into the keychain after the file stands; without one, how to bring it later. */
async function storeAsked(
  host: Host,
  edited: Edited,
  wanted: Wanted,
  token: Secret | null,
): Promise<Exit> {
  const view = terminal(host);
  const server = serverIn(edited, wanted.name);
  if (!wanted.token || server === null) return 0;
  const { keepToken, noStore, storedToken } = await import("./token-for.ts");
  if (token !== null) {
    const problems = await keepToken(host, server, token);
    view.diagnostics(problems, edited.project.texts);
    if (hasErrors(problems)) return 3;
    view.note("the token is in the keychain");
  } else if ((await storedToken(host, server)) === null) {
    const without = await noStore(host, server);
    view.diagnostics(
      without.map((d) => ({ ...d, severity: "warning" as const })),
      edited.project.texts,
    );
    if (without.length === 0)
      view.note(`no token is stored yet: fenzi mcp token ${wanted.name}`);
  }
  return 0;
}
