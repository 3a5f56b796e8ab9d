// The model as it is served: its remote servers, with their rules made ready and what is put on their requests.
import type { CallLimits } from "../enforce/door.ts";
import type { Facts } from "../enforce/facts.ts";
import { isShut, policyOf } from "../enforce/road.ts";
import type { Model, Server, ServerLimits } from "../model/model.ts";
import type { Secret } from "../vault/secret.ts";
import {
  credentialsFor,
  type CredentialProblem,
} from "../upstream/credentials.ts";
import type { GatewayServer } from "./start-gateway.ts";

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
 * rules ask of the disk and the clock.
 */
export function modelServers(
  model: Model,
  tokens: ReadonlyMap<string, Secret>,
  env: Readonly<Record<string, string | undefined>>,
  facts: Facts,
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
        credentials:
          transport.token.kind !== "none" && token === null ? null : found,
      });
  }
  return { servers, problems };
}

export const limitsOf = (limits: ServerLimits): CallLimits => ({
  call: limits.call.value,
  request: limits.request.value,
  response: limits.response.value,
});
