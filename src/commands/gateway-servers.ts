// The model as the gateway serves it: remote servers that are given to agents, their rules made ready, their headers
// expanded and their tokens taken from the vault.
import { given } from "../deliver/deliver.ts";
import { report } from "../diagnostics/catalog.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { credentialsFor } from "../gateway/credentials.ts";
import type { CallLimits } from "../gateway/gate.ts";
import type { GatewayServer } from "../gateway/start-gateway.ts";
import type { Host } from "../host/host.ts";
import type { Model, Server, ServerLimits } from "../model/model.ts";
import { preparePolicy } from "../policy/decide.ts";
import type { Secret } from "../vault/secret.ts";

export async function gatewayServers(
  host: Host,
  model: Model,
): Promise<{
  readonly servers: readonly GatewayServer[];
  readonly diagnostics: readonly Diagnostic[];
}> {
  const servers: GatewayServer[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const server of given(model)) {
    const { name, transport } = server;
    if (transport.kind !== "http") continue;
    const { at } = server.origin;
    const found = await tokenOf(host, server);
    diagnostics.push(...found.diagnostics);
    if (found.missing)
      diagnostics.push(
        report(
          "gateway/no-token",
          { name },
          {
            at,
            help: `store it with \`fenzi mcp token ${name}\`, then start again`,
          },
        ),
      );
    const credentials = credentialsFor(transport, host.env, found.token);
    if ("problems" in credentials) {
      diagnostics.push(
        ...credentials.problems.map((problem) =>
          problem.kind === "unset"
            ? report(
                "gateway/unset",
                { name, variable: problem.variable },
                { at: problem.at.at },
              )
            : report(
                "gateway/header-value",
                { name, header: problem.header },
                { at: problem.at.at },
              ),
        ),
      );
      continue;
    }
    servers.push({
      name,
      transport,
      policy: preparePolicy(server, model.airGap),
      limits: limitsOf(server.limits),
      credentials: found.missing ? null : credentials,
    });
  }
  return { servers, diagnostics };
}

export const limitsOf = (limits: ServerLimits): CallLimits => ({
  call: limits.call.value,
  request: limits.request.value,
  response: limits.response.value,
});

/** The vault is loaded only when a server uses a token. */
async function tokenOf(
  host: Host,
  server: Server,
): Promise<{
  readonly token: Secret | null;
  readonly missing: boolean;
  readonly diagnostics: readonly Diagnostic[];
}> {
  const { transport } = server;
  if (transport.kind !== "http" || transport.token.kind === "none")
    return { token: null, missing: false, diagnostics: [] };
  const { openVault } = await import("../vault/vault.ts");
  const { vaultKey } = await import("../vault/key.ts");
  const key = vaultKey(host, server);
  if (key === null) return { token: null, missing: true, diagnostics: [] };
  const vault = openVault(host);
  const { diagnostics } = await vault.find(key);
  const token = await vault.get(key);
  return { token, missing: token === null, diagnostics };
}
