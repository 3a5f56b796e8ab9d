// The servers as the `mcp` key says them.
import { report } from "../../src/diagnostics/catalog.ts";
import type { Diagnostic } from "../../src/diagnostics/diagnostic.ts";
import type {
  Delivered,
  DeliveredHttp,
  DeliveredStdio,
} from "../../src/model/delivered.ts";
import type { ConfigFile, OpencodeServer } from "./shape.ts";
import { variable, written } from "./substitution.ts";

export const mcp = (
  servers: readonly Delivered[],
  project: string,
): ConfigFile["mcp"] =>
  Object.fromEntries(
    servers.map(({ name, transport }) => [
      name,
      transport.kind === "http" ? remote(transport) : local(transport, project),
    ]),
  );

function remote({ url, headers, token }: DeliveredHttp): OpencodeServer {
  const all = headers.map(({ name, value }) => [name, written(value)]);
  if (token !== null)
    all.push([
      token.header,
      `${token.scheme === "bearer" ? "Bearer " : ""}${variable(token.variable)}`,
    ]);
  return {
    type: "remote",
    url,
    oauth: false,
    ...(all.length === 0 ? {} : { headers: Object.fromEntries(all) }),
  };
}

function local(
  { command, env, cwd }: DeliveredStdio,
  project: string,
): OpencodeServer {
  const values = env.map(({ name, value }) => [name, written(value)]);
  return {
    type: "local",
    command: command.map(({ value }) => written(value)),
    ...(cwd.why === "given" || cwd.path !== project ? { cwd: cwd.path } : {}),
    ...(values.length === 0 ? {} : { environment: Object.fromEntries(values) }),
  };
}

/** What OpenCode would change: header bytes beyond ASCII, and a variable called `__proto__`. */
export function serverProblems(
  servers: readonly Delivered[],
  agent: string,
): readonly Diagnostic[] {
  return servers.flatMap(({ transport }) =>
    transport.kind === "http"
      ? transport.headers.flatMap(({ name, value, at }) =>
          value.flatMap((part) =>
            "literal" in part && /[^\0-\x7f]/.test(part.literal)
              ? [unescapable(part.literal, agent, `headers.${name}`, at)]
              : [],
          ),
        )
      : transport.env.flatMap(({ name, at }) =>
          name === "__proto__" ? [unescapable(name, agent, "env", at)] : [],
        ),
  );
}

const unescapable = (
  text: string,
  agent: string,
  key: string,
  at: Diagnostic["at"],
): Diagnostic => report("deliver/unescapable", { text, agent, key }, { at });
