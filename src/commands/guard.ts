// `fenzi guard NAME`: stands before one server, for an agent that speaks to it over standard input and output. Nothing is
// printed there but the protocol, and nobody is asked anything.
import { openSink, type Sink } from "../audit/sink.ts";
import { loadProject, type Project } from "../compile.ts";
import { report } from "../diagnostics/catalog.ts";
import { hasErrors, type Diagnostic } from "../diagnostics/diagnostic.ts";
import type { CallRecord } from "../enforce/record.ts";
import { policyOf } from "../enforce/road.ts";
import { closeInherited } from "../guard/inherited-files.ts";
import { startGuard } from "../guard/start-guard.ts";
import type { Host } from "../host/host.ts";
import { nearest } from "../match/nearest.ts";
import type { Model, Server } from "../model/model.ts";
import { leavesNoTool } from "../policy/leaves-no-tool.ts";
import { terminal } from "../views/terminal.ts";
import { followFiles } from "./follow-files.ts";
import { guardServer, type CommandGuardServer } from "./guard-server.ts";
import { logFolder, runName } from "./log-folder.ts";
import type { Exit } from "./outcome.ts";
import { readAgain } from "./read-again.ts";
import { startProblems } from "./trust-gate.ts";

export async function guard(host: Host, name: string): Promise<Exit> {
  const project = loadProject(host);
  const view = terminal(host);
  const fail = (found: readonly Diagnostic[], exit: Exit = 1): Exit => {
    view.diagnostics(found, project.texts);
    return exit;
  };
  const { model } = project;
  if (model === null || hasErrors(project.diagnostics))
    return fail(project.diagnostics);
  const server = model.servers.find((each) => each.name === name);
  if (server === undefined)
    return fail([
      report("guard/unknown-server", {
        name,
        nearest: nearest(
          name,
          model.servers.map((each) => each.name),
        ),
      }),
    ]);
  const untrusted = startProblems(host, project, server);
  if (untrusted.length > 0) return fail(untrusted);
  const policy = policyOf(server, model);
  if (policy.shut !== null)
    return fail([
      report(
        "guard/shut",
        { reason: policy.shut.message },
        { at: policy.shut.origin.at },
      ),
    ]);
  if (leavesNoTool(server, policy))
    return fail([report("guard/no-tool", { name }, { at: server.origin.at })]);
  const made = await guardServer(host, model, server);
  if ("problems" in made) return fail(made.problems);
  view.diagnostics(made.diagnostics, project.texts);
  let sink: Sink | null = null;
  const isolated = await isolateGuard(
    host,
    model,
    server,
    made.value,
    (record) => sink?.write(record, { agent: null, milliseconds: 0 }) === true,
  );
  if ("problems" in isolated) return fail(isolated.problems);
  const log = openSink(host, { folder: logFolder(host), run: runName(host) });
  if (log.value === null) {
    const { behind } = isolated;
    if (behind.kind === "local") await behind.plan.release?.();
    return fail(log.diagnostics, 3);
  }
  sink = log.value;
  return stand(
    host,
    { project, model, server, made: { ...made.value, ...isolated } },
    log.value,
  );
}

/** The plan behind the isolation that the file asks for. Hosts that the server asks for are lines of the log. */
async function isolateGuard(
  host: Host,
  model: Model,
  server: Server,
  made: CommandGuardServer,
  log: (record: CallRecord) => boolean,
): Promise<
  | { readonly behind: CommandGuardServer["behind"] }
  | { readonly problems: readonly Diagnostic[] }
> {
  const { transport } = server;
  const { planned, behind } = made;
  if (
    planned === null ||
    transport.kind !== "stdio" ||
    transport.isolation.kind === "none"
  )
    return { behind };
  const { hostRecord, isolateServer } =
    await import("../local/isolate-server.ts");
  const isolated = await isolateServer(
    host,
    model,
    { ...server, transport },
    planned,
    (line) => log(hostRecord(made.name, line)),
  );
  return "problems" in isolated
    ? isolated
    : { behind: { kind: "local", plan: isolated.plan } };
}

interface Standing {
  readonly project: Project;
  readonly model: Model;
  readonly server: Server;
  readonly made: CommandGuardServer;
}

/** Runs it until either side is over. */
async function stand(
  host: Host,
  standing: Standing,
  sink: Sink,
): Promise<Exit> {
  const { project, model, made } = standing;
  closeInherited();
  const stopped = new AbortController();
  // Before anything is started: a signal that came in between would leave the server behind.
  const forget = host.onSignal(() => stopped.abort());
  const running = await startGuard({
    server: made,
    ...host.pipes(),
    agent: null,
    log: sink.write,
  });
  const close = (): void => void running.close();
  if (stopped.signal.aborted) close();
  else stopped.signal.addEventListener("abort", close);
  const view = terminal(host);
  if (host.stdin.isTTY)
    view.note(
      "an agent talks to this over standard input, and starts it itself after `fenzi apply`; Ctrl-C ends it",
    );
  view.diagnostics(project.diagnostics, project.texts);
  const following = followFiles(host, stopped.signal, () =>
    readAgain(host, {
      name: made.name,
      start: [made],
      startModel: model,
      serves: ({ name }) => name === made.name,
      sink,
      enforce(rules) {
        const own = rules.get(made.name);
        if (own !== undefined) running.enforce(own);
      },
    }),
  );
  try {
    const end = await running.ended;
    if (end.kind === "closed") return 0;
    view.diagnostics(
      [
        report(
          "guard/server-ended",
          { name: made.name, words: end.words },
          {
            at: standing.server.origin.at,
            notes: end.lastWords.map((words) => ({
              message: `it said: ${words}`,
              at: null,
            })),
            help: `\`fenzi logs --server ${made.name}\` has more`,
          },
        ),
      ],
      project.texts,
    );
    return 3;
  } finally {
    stopped.abort();
    await following;
    sink.close();
    forget();
  }
}
