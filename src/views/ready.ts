// What `fenzi gateway` prints when it is ready: one line for programs, and after it nothing on standard output. A person
// reads beside it how each agent is started.
import type { CompiledAgent } from "../compile.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { Host } from "../host/host.ts";
import { visibleLines } from "../diagnostics/visible.ts";
import { printDocument } from "./document.ts";
import { startLines } from "./start-lines.ts";

interface Ready {
  /** Addresses for programs that are no agent, by server. */
  readonly urls: ReadonlyMap<string, string>;
  readonly agents: readonly CompiledAgent[];
}

export function printReady(
  host: Host,
  { urls, agents }: Ready,
  diagnostics: readonly Diagnostic[],
): void {
  printDocument(
    host,
    {
      ready: true,
      pid: host.pid,
      servers: Object.fromEntries(
        [...urls].map(([name, url]) => [name, { url }]),
      ),
      model: {},
      agents: Object.fromEntries(
        agents.map(({ agent, folder, emission }) => [
          agent,
          { dir: folder, launch: emission.launch },
        ]),
      ),
    },
    diagnostics,
    "line",
  );
  if (!host.stderr.isTTY) return;
  for (const { agent, emission } of agents)
    for (const line of [agent, ...startLines(emission.launch)])
      host.stderr.write(`${visibleLines(line)}\n`);
}
