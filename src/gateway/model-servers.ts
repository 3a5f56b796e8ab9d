// The model as it is served: its remote servers, with their rules made ready and what is put on their requests.
import { limitsOf } from "../enforce/door.ts";
import type { Facts } from "../enforce/facts.ts";
import { pinsOf } from "../enforce/pins.ts";
import { isShut, policyOf } from "../enforce/road.ts";
import type { Model, Pins, Server } from "../model/model.ts";
import type { Secret } from "../vault/secret.ts";
import {
  credentialsFor,
  type CredentialProblem,
} from "../upstream/credentials.ts";
import type { GatewayServer } from "./start-gateway.ts";
import { sha256 } from "../sha256.ts";

export interface ModelServers {
  readonly servers: readonly GatewayServer[];
  /** Why a server is not among them: it could not be sent what the file says. */
  readonly problems: readonly {
    readonly server: Server;
    readonly problem: CredentialProblem;
  }[];
}

/**
 * Servers that are switched off, and those that `airGap` leaves out, are not served. `tokens` is by the server's name;
 * a server that wants a token and has none is sent nothing. `env` replaces references in headers. `facts` is what argument
 * rules ask of the disk and the clock. `pins` are a person's own, by the server's name; those of the model are compared
 * as well.
 */
export function modelServers(
  model: Model,
  tokens: ReadonlyMap<string, Secret>,
  env: Readonly<Record<string, string | undefined>>,
  facts: Facts,
  pins: ReadonlyMap<string, Pins> = new Map(),
): ModelServers {
  const servers: GatewayServer[] = [];
  const problems: { server: Server; problem: CredentialProblem }[] = [];
  for (const server of model.servers) {
    const { name, transport } = server;
    const policy = policyOf(server, model);
    if (transport.kind !== "http" || isShut(policy)) continue;
    const token = tokens.get(name) ?? null;
    const found = credentialsFor(transport, env, token);
    if ("problems" in found)
      for (const each of found.problems.map((problem) => ({ server, problem })))
        problems.push(each);
    else
      servers.push({
        name,
        transport,
        policy,
        limits: limitsOf(server.limits),
        facts,
        pins: { sha256, pins: pinsOf(model, pins, name) },
        credentials:
          transport.token.kind !== "none" && token === null ? null : found,
      });
  }
  return { servers, problems };
}
