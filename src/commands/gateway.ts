// `fenzi gateway`: stands before the remote servers until it is told to stop, and gives each agent a folder with its own
// addresses. What it prints on standard output is one line, when it is ready.
import { resolve } from "node:path";
import { openSink } from "../audit/sink.ts";
import { compile as compileAll, loadProject } from "../compile.ts";
import type { Way } from "../deliver/deliver.ts";
import { report } from "../diagnostics/catalog.ts";
import { hasErrors, type Diagnostic } from "../diagnostics/diagnostic.ts";
import {
  startGateway,
  type Gateway,
  type GatewayOptions,
  type GatewayServer,
} from "../gateway/start-gateway.ts";
import type { Host } from "../host/host.ts";
import { systemReason } from "../host/system-reason.ts";
import { printReady } from "../views/ready.ts";
import { terminal } from "../views/terminal.ts";
import {
  makeFolders,
  outProblem,
  ownFolder,
  type AgentFolders,
} from "./agent-folders.ts";
import { chooseEmitters } from "./compile.ts";
import { followFiles } from "./follow-files.ts";
import { gatewayServers } from "./gateway-servers.ts";
import { logFolder, runName } from "./log-folder.ts";
import { UsageError, type Exit } from "./outcome.ts";
import { readAgain } from "./read-again.ts";
import { passTrust, type TrustFlag } from "./trust-gate.ts";

interface GatewayCommandOptions {
  readonly agent?: readonly string[];
  readonly out?: string;
  readonly listen?: string;
  readonly trust?: TrustFlag;
  readonly allowUnenforced?: boolean;
}

/** Programs that are no agent. */
const ANYBODY = null;

export async function gateway(
  host: Host,
  options: GatewayCommandOptions,
): Promise<Exit> {
  const chosen = chooseEmitters(options.agent ?? []);
  const listen = parseListen(options.listen ?? "127.0.0.1:0");
  const project = loadProject(host);
  const view = terminal(host);
  const fail = (found: readonly Diagnostic[], exit: Exit = 1): Exit => {
    view.diagnostics(found, project.texts);
    return exit;
  };
  const problems = [...project.diagnostics];
  if (project.model !== null && !hasErrors(problems))
    for (const each of await passTrust(host, project, options.trust))
      problems.push(each);
  const { model } = project;
  if (model === null || hasErrors(problems)) return fail(problems);
  if (project.found.files.length === 0)
    return fail([
      report(
        "read/no-project",
        { folder: project.found.project },
        { help: "`fenzi init` makes a first file" },
      ),
    ]);

  const own = ownFolder(host);
  const out = options.out === undefined ? own : resolve(host.cwd, options.out);
  const emit = (way: (agent: string) => Way) =>
    compileAll(host, model, {
      emitters: chosen,
      out,
      at: null,
      workdir: null,
      allowUnenforced: options.allowUnenforced === true,
      way,
    });
  const served = await gatewayServers(host, model);
  for (const each of [
    ...served.diagnostics,
    ...(out === own ? [] : outProblem(host, out)),
    // Before anything is started: whether the agents can be told of it at all.
    ...emit(() => ({ kind: "gateway", url: () => "http://127.0.0.1:1/" }))
      .diagnostics,
  ])
    problems.push(each);
  if (hasErrors(problems)) return fail(problems);

  const log = openSink(host, { folder: logFolder(host), run: runName(host) });
  if (log.value === null) return fail([...problems, ...log.diagnostics], 3);
  const sink = log.value;
  const started = await listenOn(listen, {
    servers: served.servers,
    agents: [ANYBODY, ...chosen.map(({ target }) => target)],
    log: sink.write,
    listen,
  });
  if ("problem" in started) {
    sink.close();
    return fail([...problems, started.problem], 3);
  }
  const running = started.gateway;
  const stopped = new AbortController();
  let again = (): void => {};
  // From now on a signal ends this in good order.
  const forget = host.onSignal((signal) =>
    signal === "SIGHUP" ? again() : stopped.abort(),
  );
  let folders: AgentFolders | null = null;
  try {
    const { agents } = emit((agent) => ({
      kind: "gateway",
      url: (server) => running.url(agent, server) ?? "",
    }));
    const made = makeFolders(host, out, agents);
    folders = made.folders;
    if (made.problems.length > 0)
      return fail([...problems, ...made.problems], 3);
    view.diagnostics(problems, project.texts);
    printReady(
      host,
      { urls: urlsOf(running, served.servers), agents },
      problems,
    );
    again = () =>
      view.note(
        readAgain(host, {
          name: "*",
          start: served.servers,
          startModel: model,
          serves: ({ transport }) => transport.kind === "http",
          sink,
          enforce: running.enforce,
        }),
      );
    await followFiles(host, stopped.signal, () => again());
    return 0;
  } finally {
    await running.close();
    folders?.remove();
    sink.close();
    forget();
  }
}

async function listenOn(
  { host, port }: Listen,
  options: GatewayOptions,
): Promise<{ readonly gateway: Gateway } | { readonly problem: Diagnostic }> {
  try {
    return { gateway: await startGateway(options) };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    return {
      problem: report("gateway/cannot-listen", {
        address: `${host}:${port}`,
        reason: systemReason(code),
      }),
    };
  }
}

type Listen = GatewayOptions["listen"];

/** Only this machine: the key in the addresses is no reason to open the port to a network. */
function parseListen(text: string): Listen {
  const [, name = "", digits = ""] =
    /^(127\.0\.0\.1|localhost|\[::1\]):(\d{1,5})$/.exec(text) ?? [];
  if (name === "" || Number(digits) > 65_535)
    throw new UsageError(
      "`--listen` takes an address of this machine and a port: `127.0.0.1:0`",
    );
  return { host: name === "[::1]" ? "::1" : "127.0.0.1", port: Number(digits) };
}

const urlsOf = (
  running: Gateway,
  servers: readonly GatewayServer[],
): ReadonlyMap<string, string> =>
  new Map(servers.map(({ name }) => [name, running.url(ANYBODY, name) ?? ""]));
