// Tokens from the environment, for CI: `FENZI_VAULT_<NAME>`. A repository can change the URL of its own server, so for
// that one the token is given only together with the URL it is meant for.
import { report } from "../diagnostics/catalog.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { vaultVariable } from "../match/server-name.ts";
import type { VaultKey } from "./key.ts";
import { Secret } from "./secret.ts";
import { tokenProblem, trimToken } from "./token-text.ts";

type Environment = Readonly<Record<string, string | undefined>>;

interface Given {
  readonly secret: Secret | null;
  /** Why a variable that is set does not count. */
  readonly diagnostics: readonly Diagnostic[];
}

const NOTHING: Given = { secret: null, diagnostics: [] };

export function fromEnvironment(env: Environment, key: VaultKey): Given {
  const variable = vaultVariable(key.name);
  const value = trimToken(env[variable] ?? "");
  if (value === "") return NOTHING;
  const ignored = (reason: string): Given => ({
    secret: null,
    diagnostics: [report("vault/variable-ignored", { variable, reason })],
  });
  const urlVariable = `${variable}_URL`;
  const url = env[urlVariable] ?? "";
  // The variable of `x-url` has the name of the one that binds `x`, and may hold nothing but that URL.
  const mustName = !key.machine || variable.endsWith("_URL");
  if (url === "" && mustName)
    return ignored(`\`${urlVariable}\` must be set to \`${key.url}\` as well`);
  if (url !== "" && serialised(url) !== key.url)
    return ignored(`\`${urlVariable}\` is not \`${key.url}\``);
  const problem = tokenProblem(value, key.header);
  if (problem !== null) return ignored(`its value ${problem}`);
  return { secret: new Secret(key.name, value), diagnostics: [] };
}

function serialised(url: string): string | null {
  try {
    return new URL(url).href;
  } catch {
    return null;
  }
}

/** The variables that hold tokens, or bind them: kept away from everything that is started. */
export const vaultVariables = (env: Environment): readonly string[] =>
  Object.keys(env).filter((name) => name.startsWith("FENZI_VAULT_"));
