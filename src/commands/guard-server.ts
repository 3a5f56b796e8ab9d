// One server of the model for a guard, with its rules made ready, what is started, and what must never flow back.
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { policyOf } from "../enforce/road.ts";
import { limitsOf, pinCheckOf } from "../gateway/model-servers.ts";
import type { GuardServer } from "../guard/start-guard.ts";
import { pathFacts } from "../host/path-facts.ts";
import type { Host } from "../host/host.ts";
import type { Model, Server, Transport } from "../model/model.ts";
import { stateFolder } from "../read/discover.ts";
import { readPins } from "../state/pins.ts";
import { planServer } from "./plan-server.ts";

export interface CommandGuardServer extends GuardServer {
  readonly transport: Transport;
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
    pins: pinCheckOf(model, own.pins, name),
  };
  if (transport.kind !== "stdio") throw new Error("not yet");
  const planned = planServer(host, model, { ...server, transport });
  return "problems" in planned
    ? planned
    : {
        value: { ...common, ...planned.value },
        diagnostics: own.diagnostics,
      };
}
