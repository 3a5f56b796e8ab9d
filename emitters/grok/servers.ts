// The servers as `mcp_servers` says them.
import type {
  Delivered,
  DeliveredHttp,
  DeliveredStdio,
  NamedValue,
} from "../../src/model/delivered.ts";
import { written } from "./expansion.ts";
import type { ConfigFile, GrokServer } from "./shape.ts";

/** `keys`: the variables that bring the model's key. */
export function mcpServers(
  servers: readonly Delivered[],
  keys: readonly string[],
): ConfigFile["mcp_servers"] {
  const tokens = servers.flatMap(({ transport }) =>
    transport.kind === "http" && transport.token !== null
      ? [transport.token.variable]
      : [],
  );
  return Object.fromEntries(
    servers.map(({ name, transport }): [string, GrokServer] => [
      name,
      transport.kind === "http"
        ? http(transport)
        : stdio(transport, [...keys, ...tokens]),
    ]),
  );
}

function http({ url, headers, token }: DeliveredHttp): GrokServer {
  const all = headers.map(({ name, value }) => [name, written(value)]);
  if (token?.scheme === "header")
    all.push([token.header, `\${${token.variable}}`]);
  return {
    url: written([{ literal: url }]),
    ...(token?.scheme === "bearer"
      ? { bearer_token_env_var: token.variable }
      : {}),
    ...(all.length === 0 ? {} : { headers: Object.fromEntries(all) }),
  };
}

/** A server gets Grok's whole environment: what is not meant for it is emptied. */
function stdio(
  { command, env }: DeliveredStdio,
  secrets: readonly string[],
): GrokServer {
  const [program = "", ...args] = command.map(({ value }) => written(value));
  const named = new Set(env.map(({ name }) => name));
  const values = [
    ...secrets.filter((name) => !named.has(name)).map((name) => [name, ""]),
    ...env
      .filter((value) => !isInherited(value))
      .map(({ name, value }) => [name, written(value)]),
  ];
  return {
    command: program,
    args,
    ...(values.length === 0 ? {} : { env: Object.fromEntries(values) }),
  };
}

/** `A: ${A}` is there without being written, and then a `$` in its value is not expanded. */
const isInherited = ({ name, value }: NamedValue): boolean => {
  const [part, more] = value;
  return (
    part !== undefined &&
    more === undefined &&
    "reference" in part &&
    part.reference === name
  );
};
