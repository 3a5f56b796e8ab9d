// The servers of the model for the gateway, with the tokens that the vault holds for them.
import { report } from "../diagnostics/catalog.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { given } from "../deliver/deliver.ts";
import { modelServers } from "../gateway/model-servers.ts";
import type { GatewayServer } from "../gateway/start-gateway.ts";
import type { Host } from "../host/host.ts";
import { pathFacts } from "../host/path-facts.ts";
import type { Model, Server } from "../model/model.ts";
import { stateFolder } from "../read/discover.ts";
import { readPins } from "../state/pins.ts";
import type { CredentialProblem } from "../upstream/credentials.ts";
import type { Secret } from "../vault/secret.ts";

export async function gatewayServers(
  host: Host,
  model: Model,
): Promise<{
  readonly servers: readonly GatewayServer[];
  readonly diagnostics: readonly Diagnostic[];
}> {
  const vault = await tokensOf(host, model.servers);
  const own = readPins(
    host,
    stateFolder(host),
    given(model).filter(({ transport }) => transport.kind === "http"),
  );
  const { servers, problems } = modelServers(
    model,
    vault.tokens,
    host.env,
    pathFacts(host),
    own.pins,
  );
  return {
    servers,
    diagnostics: [
      ...vault.diagnostics,
      ...own.diagnostics,
      ...servers
        .filter(({ credentials }) => credentials === null)
        .map(({ name }) =>
          report(
            "gateway/no-token",
            { name },
            {
              at: model.servers.find((s) => s.name === name)?.origin.at ?? null,
              help: `store it with \`fenzi mcp token ${name}\`, then start again`,
            },
          ),
        ),
      ...problems.map(({ server, problem }) =>
        credentialProblem(server.name, problem),
      ),
    ],
  };
}

/** Why a server cannot be sent what the file says. */
export const credentialProblem = (
  name: string,
  problem: CredentialProblem,
): Diagnostic =>
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
      );

/** The vault is loaded only when a server uses a token. */
export async function tokensOf(
  host: Host,
  servers: readonly Server[],
): Promise<{
  readonly tokens: ReadonlyMap<string, Secret>;
  readonly diagnostics: readonly Diagnostic[];
}> {
  const tokens = new Map<string, Secret>();
  const diagnostics: Diagnostic[] = [];
  for (const server of servers) {
    const { transport, enabled } = server;
    if (
      transport.kind !== "http" ||
      transport.token.kind === "none" ||
      !enabled.value
    )
      continue;
    const { openVault } = await import("../vault/vault.ts");
    const { vaultKey } = await import("../vault/key.ts");
    const key = vaultKey(host, server);
    if (key === null) continue;
    const vault = openVault(host);
    for (const each of (await vault.find(key)).diagnostics)
      diagnostics.push(each);
    const token = await vault.get(key);
    if (token !== null) tokens.set(server.name, token);
  }
  return { tokens, diagnostics };
}
