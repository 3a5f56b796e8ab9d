// The servers as `mcp.json` says them.
import { report } from "../../src/diagnostics/catalog.ts";
import type { Diagnostic } from "../../src/diagnostics/diagnostic.ts";
import type {
  Delivered,
  DeliveredHttp,
  DeliveredStdio,
} from "../../src/model/delivered.ts";
import { written, writtenInHeader } from "./expansion.ts";
import type { ClaudeServer, McpFile } from "./shape.ts";

export const mcpFile = (servers: readonly Delivered[]): McpFile => ({
  mcpServers: Object.fromEntries(
    servers.map(({ name, transport }) => [
      name,
      transport.kind === "http" ? http(transport) : stdio(transport),
    ]),
  ),
});

function http({ url, headers, token }: DeliveredHttp): ClaudeServer {
  const all = headers.map(({ name, value }) => [name, writtenInHeader(value)]);
  if (token !== null)
    all.push([
      token.header,
      `${token.scheme === "bearer" ? "Bearer " : ""}\${${token.variable}}`,
    ]);
  return {
    type: "http",
    url: written([{ literal: url }]),
    ...(all.length === 0 ? {} : { headers: Object.fromEntries(all) }),
  };
}

function stdio({ command, env }: DeliveredStdio): ClaudeServer {
  const [program = "", ...args] = command.map(({ value }) => written(value));
  const values = env.map(({ name, value }) => [name, written(value)]);
  return {
    type: "stdio",
    command: program,
    args,
    ...(values.length === 0 ? {} : { env: Object.fromEntries(values) }),
  };
}

/** What Claude Code would drop: a folder to start in, and a variable called `__proto__`. */
export function serverProblems(
  servers: readonly Delivered[],
  agent: string,
  project: string,
): readonly Diagnostic[] {
  const out: Diagnostic[] = [];
  let warned = false;
  for (const { name, transport } of servers) {
    if (transport.kind !== "stdio") continue;
    const { cwd, env } = transport;
    const about = { agent, server: name };
    if (cwd.why === "given")
      out.push(report("deliver/cwd-not-supported", about, { at: cwd.at }));
    else if (!warned && (cwd.why === "own" || cwd.path !== project)) {
      warned = true;
      out.push(report("deliver/cwd-not-held", about, { at: cwd.at }));
    }
    for (const { name: variable, at } of env)
      if (variable === "__proto__")
        out.push(
          report(
            "deliver/unescapable",
            { text: variable, agent, key: "env" },
            { at },
          ),
        );
  }
  return out;
}
