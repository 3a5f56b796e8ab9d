// `fenzi mcp token NAME`: stores a server's token in the keychain, or takes it out. The token comes from a hidden prompt
// or from standard input, never from an argument.
import { loadProject, type Project } from "../compile.ts";
import { report } from "../diagnostics/catalog.ts";
import { hasErrors, type Diagnostic } from "../diagnostics/diagnostic.ts";
import { canAsk } from "../host/can-ask.ts";
import type { Host } from "../host/host.ts";
import { vaultKey, type VaultKey } from "../vault/key.ts";
import { Secret } from "../vault/secret.ts";
import { tokenProblem, trimToken } from "../vault/token-text.ts";
import { openVault } from "../vault/vault.ts";
import { terminal } from "../views/terminal.ts";
import { UsageError, type Exit } from "./outcome.ts";
import { serverNamed } from "./server-named.ts";

interface TokenOptions {
  readonly stdin?: boolean;
  readonly delete?: boolean;
}

export async function token(
  host: Host,
  name: string,
  options: TokenOptions,
): Promise<Exit> {
  if (options.stdin === true && options.delete === true)
    throw new UsageError("`--stdin` and `--delete` exclude each other");
  const project = loadProject(host);
  const view = terminal(host);
  const found = findKey(host, project, name);
  view.diagnostics(found.diagnostics, project.texts);
  if (found.key === null) return 1;
  const done =
    options.delete === true
      ? await deleteToken(host, found.key)
      : await storeToken(
          host,
          found.key,
          options.stdin === true ? "stdin" : "prompt",
        );
  view.diagnostics(done.diagnostics, project.texts);
  if (done.said !== null) view.out(done.said);
  return done.exit;
}

/** What storing or deleting came to. */
interface TokenOutcome {
  readonly exit: Exit;
  /** The line of the result; null when there are errors. */
  readonly said: string | null;
  readonly diagnostics: readonly Diagnostic[];
}

/** The key of a server that uses a token. */
function findKey(
  host: Host,
  { model, diagnostics }: Project,
  name: string,
): {
  readonly key: VaultKey | null;
  readonly diagnostics: readonly Diagnostic[];
} {
  const errors = diagnostics.filter((d) => d.severity === "error");
  if (model === null) return { key: null, diagnostics: errors };
  const server = serverNamed(model, name);
  if ("code" in server) return { key: null, diagnostics: [server] };
  const key = vaultKey(host, server);
  return {
    key,
    diagnostics:
      key === null
        ? [
            report(
              "vault/no-token",
              { name },
              {
                at: server.origin.at,
                help:
                  server.transport.kind === "http"
                    ? "write `token: true` into its entry first"
                    : 'a program takes its secret from a variable: `env: { KEY: "${KEY}" }`',
              },
            ),
          ]
        : [],
  };
}

/** Reads the token, or asks for it, and stores it. Asks nothing when there is no keychain to store it in. */
async function storeToken(
  host: Host,
  key: VaultKey,
  source: "stdin" | "prompt",
): Promise<TokenOutcome> {
  const vault = openVault(host);
  const piped =
    source === "stdin" ? trimToken(await host.stdin.readAll()) : null;
  if (piped === null) {
    const unready = await vault.unready(key);
    if (unready.length > 0) return failed(3, unready);
    const command = `fenzi mcp token ${key.name}`;
    if (!canAsk(host))
      return failed(1, [report("vault/needs-terminal", { command })]);
  }
  const text =
    piped ??
    (await host.prompts.password(`Token for ${key.name} (${key.url}):`)).trim();
  const reason = tokenProblem(text, key.header);
  if (reason !== null)
    return failed(1, [report("vault/bad-token", { reason })]);
  const diagnostics = await vault.set(key, new Secret(key.name, text));
  if (hasErrors(diagnostics)) return failed(3, diagnostics);
  const said = `the token of ${key.name} is in the keychain, for ${key.url}`;
  return { exit: 0, said, diagnostics };
}

const failed = (
  exit: Exit,
  diagnostics: readonly Diagnostic[],
): TokenOutcome => ({ exit, said: null, diagnostics });

async function deleteToken(host: Host, key: VaultKey): Promise<TokenOutcome> {
  const { value, diagnostics } = await openVault(host).delete(key);
  if (value === null) return failed(3, diagnostics);
  const said = value
    ? `the token of ${key.name} is no longer in the keychain`
    : `nothing to delete: the keychain has no token of ${key.name}`;
  return { exit: 0, said, diagnostics };
}
