// The servers as the `mcp` key says them.
import { report } from "../../src/diagnostics/catalog.ts";
import type { Diagnostic } from "../../src/diagnostics/diagnostic.ts";
import type {
  Delivered,
  DeliveredHttp,
  DeliveredStdio,
  NamedValue,
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

/** What would not arrive as it is written. */
export const serverProblems = (
  servers: readonly Delivered[],
  agent: string,
): readonly Diagnostic[] =>
  servers.flatMap(({ transport }) =>
    transport.kind === "http"
      ? transport.headers.flatMap((v) => otherBytes(v, agent))
      : transport.env.flatMap((v) => droppedName(v, agent)),
  );

/** Beyond ASCII a header arrives as other bytes, or not at all. */
const otherBytes = (
  { name, value, at }: NamedValue,
  agent: string,
): readonly Diagnostic[] =>
  value.flatMap((part) =>
    "literal" in part && /[^\0-\x7f]/.test(part.literal)
      ? [
          report(
            "deliver/unescapable",
            { text: part.literal, agent, key: `headers.${name}` },
            { at },
          ),
        ]
      : [],
  );

const droppedName = (
  { name, at }: NamedValue,
  agent: string,
): readonly Diagnostic[] =>
  name === "__proto__"
    ? [report("deliver/unescapable", { text: name, agent, key: "env" }, { at })]
    : [];
