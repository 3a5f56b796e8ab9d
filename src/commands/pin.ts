// `fenzi mcp pin [NAME]`: shows what a server offers now beside what was pinned of it, and pins just that once a person
// has said so: in the state folder, and for a server of the repository in `fenzi.lock` too.
import { loadProject, type Project } from "../compile.ts";
import { given } from "../deliver/deliver.ts";
import { report } from "../diagnostics/catalog.ts";
import { hasErrors, type Diagnostic } from "../diagnostics/diagnostic.ts";
import { canonicalJson } from "../enforce/canonical-json.ts";
import { samePins } from "../enforce/pins.ts";
import { policyOf } from "../enforce/road.ts";
import { canAsk } from "../host/can-ask.ts";
import type { Host } from "../host/host.ts";
import type { Model, Pins, Server } from "../model/model.ts";
import { lockOf, stateFolder } from "../read/discover.ts";
import { keepPins, readPins, readTexts } from "../state/pins.ts";
import { pinLines } from "../views/pin-changes.ts";
import { terminal } from "../views/terminal.ts";
import { passStart } from "./ask-offer.ts";
import { exitFor, type Exit } from "./outcome.ts";
import { serverNamed } from "./server-named.ts";
import { changeLines } from "./show-changes.ts";
import { lookAt, type Seen } from "./tools.ts";
import { isOfRepository, locksDiffer, writeLock } from "./write-lock.ts";

export async function pin(
  host: Host,
  name: string | null,
  options: { readonly yes?: boolean },
): Promise<Exit> {
  const view = terminal(host);
  const fail = (
    problems: readonly Diagnostic[],
    texts: Project["texts"],
  ): Exit => {
    view.diagnostics(problems, texts);
    return exitFor(problems) || 1;
  };
  if (options.yes !== true && !canAsk(host))
    return fail(
      [report("trust/needs-terminal", { command: "fenzi mcp pin" })],
      new Map(),
    );
  const project = loadProject(host);
  const { model, texts } = project;
  if (model === null || hasErrors(project.diagnostics))
    return fail(project.diagnostics, texts);
  const chosen = name === null ? given(model) : [serverNamed(model, name)];
  const servers: Server[] = [];
  for (const each of chosen) {
    if ("code" in each) return fail([each], texts);
    const { shut } = policyOf(each, model);
    if (shut !== null)
      return fail(
        [
          report(
            "guard/shut",
            { reason: shut.message },
            { at: shut.origin.at },
          ),
        ],
        texts,
      );
    servers.push(each);
  }
  if (servers.length === 0) view.out("there is no server to pin");
  let worst: Exit = 0;
  for (const server of servers) {
    const problems = await pinOne(host, model, server, options.yes === true);
    view.diagnostics(problems, texts);
    if (hasErrors(problems)) worst = exitFor(problems) || 1;
  }
  return worst;
}

async function pinOne(
  host: Host,
  model: Model,
  server: Server,
  yes: boolean,
): Promise<readonly Diagnostic[]> {
  const view = terminal(host);
  // Read for each: the lock file may have been written for the one before.
  const project = loadProject(host);
  const untrusted = await passStart(host, project, server, undefined);
  if (untrusted.length > 0) return untrusted;
  const { seen, diagnostics } = await lookAt(host, model, server);
  if (seen === null) return diagnostics;
  const folder = stateFolder(host);
  const { pins, texts } = pinnedBy(seen);
  const own = readPins(host, folder, [server]).pins.get(server.name) ?? null;
  const before = own === null ? (model.locked.get(server.name) ?? []) : [own];
  const writesLock = locksDiffer(project, server, pins);
  if (!writesLock && own !== null && samePins(own, pins)) {
    view.out(`${server.name} is pinned as it is: ${tools(pins.tools.size)}`);
    return diagnostics.filter(({ code }) => code !== "pin/lost");
  }
  const kept = readTexts(host, folder, server);
  for (const line of [
    ...pinLines(server.name, { before, pins, offered: seen.compared }, view),
    ...changeLines(seen, kept, view.paint),
  ])
    view.painted(line);
  const what = `${tools(pins.tools.size)} of ${server.name}`;
  if (!yes && !(await host.prompts.confirm(`Pin ${what} as shown?`))) {
    view.note(`${server.name}: nothing was pinned`);
    return [];
  }
  const written = await keepPins(host, folder, server, { pins, texts });
  if (written.diagnostics.length > 0) return written.diagnostics;
  if (isOfRepository(server) && writesLock) {
    const problems = await writeLock(host, project, server, pins);
    if (problems.length > 0) return problems;
  }
  const where = isOfRepository(server)
    ? `, in ${view.show(lockOf(server.origin.at.file))} as well`
    : "";
  view.out(`pinned ${what}${where}`);
  return diagnostics.filter(
    ({ code }) => code !== "pin/lost" && code !== "pin/changed",
  );
}

/** The allowed tools that an agent can be shown, and the instructions. */
function pinnedBy({ compared, clean }: Seen) {
  const allowed = compared.tools.filter(
    ({ ruled, problem }) => ruled.effect !== "deny" && problem === null,
  );
  const textOf = (source: string) => clean(canonicalJson(source) ?? source);
  const pins: Pins = {
    origin: null,
    instructions: compared.instructions.hash,
    tools: new Map(allowed.map(({ name, hash }) => [name, hash])),
  };
  const { source } = compared.instructions;
  return {
    pins,
    texts: {
      instructions: source === null ? null : textOf(source),
      tools: new Map(
        allowed.map((tool) => [tool.name, textOf(tool.source)] as const),
      ),
    },
  };
}

const tools = (count: number): string =>
  count === 1 ? "1 tool" : `${count} tools`;
