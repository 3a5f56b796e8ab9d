// Asks one server of the project what it offers: a remote one with its headers and token, a local one by starting it for
// as long as that takes. Trust comes first.
import { openSink } from "../audit/sink.ts";
import { askLocal, askRemote, type Asked } from "../client/ask-server.ts";
import type { Offer } from "../client/offer.ts";
import type { Project } from "../compile.ts";
import { report } from "../diagnostics/catalog.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { visible } from "../diagnostics/visible.ts";
import { createRedactor } from "../enforce/redact.ts";
import { credentialsFor } from "../upstream/credentials.ts";
import { canAsk } from "../host/can-ask.ts";
import type { Host } from "../host/host.ts";
import type { HttpTransport, Model, Server } from "../model/model.ts";
import { terminal } from "../views/terminal.ts";
import { credentialProblem } from "./gateway-servers.ts";
import { logFolder, runName } from "./log-folder.ts";
import { planServer } from "../local/plan-server.ts";
import {
  askTrust,
  passTrust,
  startingFiles,
  startProblems,
  untrustedFiles,
  type TrustFlag,
} from "./trust-gate.ts";

export type AskedOffer =
  | {
      readonly offer: Offer;
      /** Takes what the server was given in secret out of JSON text of its own. */
      readonly clean: (json: string) => string;
    }
  | { readonly problems: readonly Diagnostic[] };

/** A program may have to be fetched before it can be started. */
const LOCAL = {
  milliseconds: 60_000,
  pages: 100,
  tools: 10_000,
  bytes: 16 * 1024 * 1024,
};

/** Whether the server may be started or contacted here; asks on a terminal. Empty: it may. */
export async function passStart(
  host: Host,
  project: Project,
  server: Server,
  flag: TrustFlag,
): Promise<readonly Diagnostic[]> {
  if (flag !== undefined) return passTrust(host, project, flag);
  const problems = startProblems(host, project, server);
  if (problems.length === 0 || !canAsk(host)) return problems;
  const waiting = untrustedFiles(host, project).files;
  return askTrust(
    host,
    project,
    waiting.length > 0 ? waiting : startingFiles(host, project),
  );
}

/** Lines of what a server said that are shown when it fails. */
const LAST_WORDS = 5;

/** Nothing is called, and nothing is left running. */
export async function askOffer(
  host: Host,
  model: Model,
  server: Server,
): Promise<AskedOffer> {
  const { transport, name } = server;
  if (transport.kind === "http")
    return askAddress(host, { ...server, transport });
  const planned = planServer(host, model, { ...server, transport });
  if ("problems" in planned) return planned;
  const { secrets } = planned.value;
  const log = openSink(host, { folder: logFolder(host), run: runName(host) });
  if (log.value === null) return { problems: log.diagnostics };
  const sink = log.value;
  try {
    const { hostRecord, isolateServer } =
      await import("../local/isolate-server.ts");
    const isolated = await isolateServer(
      host,
      model,
      { ...server, transport },
      planned.value,
      (line) =>
        sink.write(hostRecord(name, line), { agent: null, milliseconds: 0 }) ===
        true,
    );
    if ("problems" in isolated) return isolated;
    terminal(host).note(`starting ${name} for its tools …`);
    const { launchServer } = await import("../guard/launch-server.ts");
    const running = launchServer(isolated.plan);
    try {
      return answered(server, await askLocal(running, LOCAL), secrets);
    } finally {
      await running.stop();
    }
  } finally {
    sink.close();
  }
}

async function askAddress(
  host: Host,
  server: Server & { readonly transport: HttpTransport },
): Promise<AskedOffer> {
  const { transport, name } = server;
  const token =
    transport.token.kind === "none"
      ? null
      : await (await import("./token-for.ts")).storedToken(host, server);
  const found = credentialsFor(transport, host.env, token);
  if ("problems" in found)
    return {
      problems: found.problems.map((problem) =>
        credentialProblem(name, problem),
      ),
    };
  const headers: Record<string, string> = {};
  for (let i = 0; i + 1 < found.lines.length; i += 2)
    headers[found.lines[i] ?? ""] = found.lines[i + 1] ?? "";
  terminal(host).note(`asking ${transport.host} for its tools …`);
  return answered(
    server,
    await askRemote({ url: transport.url, headers }),
    found.secrets,
  );
}

function answered(
  { name, origin }: Server,
  asked: Asked,
  secrets: readonly string[],
): AskedOffer {
  if ("offer" in asked)
    return { offer: asked.offer, clean: createRedactor(secrets).json };
  const said = createRedactor(secrets)
    .text(asked.words ?? "")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .slice(-LAST_WORDS);
  return {
    problems: [
      report(
        "pin/no-answer",
        { name, reason: asked.problem },
        {
          at: origin.at,
          notes: said.map((line) => ({
            message: `it said: ${visible(line.trimEnd())}`,
            at: null,
          })),
          help: asked.wantsToken
            ? `store its token with \`fenzi mcp token ${name}\``
            : null,
        },
      ),
    ],
  };
}
