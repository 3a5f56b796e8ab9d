// One server of the model for a guard, with its rules made ready, what is started, and what must never flow back.
import { report } from "../diagnostics/catalog.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { limitsOf } from "../enforce/door.ts";
import { pinsOf } from "../enforce/pins.ts";
import { policyOf } from "../enforce/road.ts";
import type { GuardServer } from "../guard/start-guard.ts";
import { pathFacts } from "../host/path-facts.ts";
import type { Host } from "../host/host.ts";
import type { Model, Server, Transport } from "../model/model.ts";
import { stateFolder } from "../read/discover.ts";
import { readPins } from "../state/pins.ts";
import { credentialsFor } from "../upstream/credentials.ts";
import { credentialProblem, tokensOf } from "./gateway-servers.ts";
import { planServer, type PlannedServer } from "../local/plan-server.ts";
import { sha256 } from "../sha256.ts";

export interface CommandGuardServer extends GuardServer {
  readonly transport: Transport;
  /** How it is started; null for a remote server. */
  readonly planned: PlannedServer | null;
}

export async function guardServer(
  host: Host,
  model: Model,
  server: Server,
): Promise<
  | {
      readonly value: CommandGuardServer;
      /** Warnings. */
      readonly diagnostics: readonly Diagnostic[];
    }
  | { readonly problems: readonly Diagnostic[] }
> {
  const { name, transport } = server;
  const own = readPins(host, stateFolder(host), [server]);
  const common = {
    name,
    transport,
    policy: policyOf(server, model),
    limits: limitsOf(server.limits),
    facts: pathFacts(host),
    pins: { sha256, pins: pinsOf(model, own.pins, name) },
  };
  if (transport.kind === "stdio") {
    const planned = planServer(host, model, { ...server, transport });
    if ("problems" in planned) return planned;
    const { plan, secrets } = planned.value;
    return {
      value: {
        ...common,
        secrets,
        behind: { kind: "local", plan },
        planned: planned.value,
      },
      diagnostics: own.diagnostics,
    };
  }
  const { tokens, diagnostics } = await tokensOf(host, [server]);
  const token = tokens.get(name) ?? null;
  if (transport.token.kind !== "none" && token === null)
    return {
      problems: [
        ...diagnostics,
        report(
          "guard/no-token",
          { name },
          {
            at: server.origin.at,
            help: `store it with \`fenzi mcp token ${name}\`, then start again`,
          },
        ),
      ],
    };
  const credentials = credentialsFor(transport, host.env, token);
  if ("problems" in credentials)
    return {
      problems: credentials.problems.map((problem) =>
        credentialProblem(name, problem),
      ),
    };
  return {
    value: {
      ...common,
      secrets: credentials.secrets,
      behind: { kind: "remote", transport, credentials },
      planned: null,
    },
    diagnostics: own.diagnostics,
  };
}
