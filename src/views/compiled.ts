// What `fenzi compile` did or would do, for people and for programs.
import type { CompiledAgent } from "../compile.ts";
import type { Server } from "../model/model.ts";
import { tokenVariable } from "../match/server-name.ts";
import type { Plan } from "../plan/plan.ts";
import { unifiedDiff } from "../plan/unified-diff.ts";
import { printDifferences } from "./differences.ts";
import { startLines } from "./start-lines.ts";
import type { Terminal } from "./terminal.ts";

interface Shown {
  /** Print the differences instead of the launch lines. */
  readonly diffs: boolean;
  readonly trusted: boolean;
}

export function printCompiled(
  view: Terminal,
  agents: readonly CompiledAgent[],
  plans: readonly Plan[],
  shown: Shown,
): void {
  if (shown.diffs) {
    const changes = plans
      .flatMap((p) => p.changes)
      .filter((c) => c.change !== "same");
    printDifferences(view, changes.map(unifiedDiff), shown.trusted);
    return;
  }
  for (const agent of agents) {
    const plan = plans.find((p) => p.agent === agent.agent);
    const changed = (plan?.changes ?? []).filter(
      (c) => c.change !== "same",
    ).length;
    view.painted(
      `${view.paint.bold(agent.agent)}  ${changed === 0 ? "unchanged" : `${changed} ${changed === 1 ? "file" : "files"} written`}  ${view.show(agent.folder)}`,
    );
    for (const line of startLines(agent.emission.launch)) view.out(line);
  }
  view.note("agents read this at their next start");
}

/** `servers`: those that agents are told of; `methods`: those of the protocol that the policy leaves open. */
export const compileDocument = (
  servers: readonly Server[],
  methods: readonly string[],
  agents: readonly CompiledAgent[],
  plans: readonly Plan[],
) =>
  documentOf(
    servers,
    methods,
    agents.map((agent) => ({
      agent: agent.agent,
      dir: agent.folder,
      files: (plans.find((p) => p.agent === agent.agent)?.changes ?? []).map(
        (c) => ({
          path: c.path,
          change: c.change,
          diff: unifiedDiff(c),
          content: c.text,
        }),
      ),
      launch: agent.emission.launch,
    })),
  );

/** The document of `compile` and of `apply`. */
export const documentOf = <T>(
  servers: readonly Server[],
  methods: readonly string[],
  agents: readonly T[],
) => ({
  agents,
  policy: servers.map((server) => policyOf(server, methods)),
});

/** What a sandbox must enforce for one server. */
function policyOf(server: Server, methods: readonly string[]) {
  const { transport } = server;
  const remote = transport.kind === "http" ? transport : null;
  return {
    server: server.name,
    transport: transport.kind,
    scheme: remote?.socket?.kind ?? remote?.scheme ?? null,
    host: remote?.socket == null ? (remote?.host ?? null) : null,
    port: remote?.socket == null ? (remote?.port ?? null) : null,
    path: remote?.path ?? null,
    methods,
    tools: server.tools.map((layer) => ({
      layer: layer.layer,
      allow:
        layer.allow.kind === "only"
          ? layer.allow.rules.map((r) => r.text)
          : layer.allow.kind === "all"
            ? "all"
            : null,
      ask: layer.ask.map((r) => r.text),
      deny: layer.deny.map((r) => r.text),
    })),
    tokenEnv:
      remote === null || remote.token.kind === "none"
        ? null
        : tokenVariable(server.name),
    token:
      remote === null || remote.token.kind === "none"
        ? null
        : {
            header:
              remote.token.kind === "bearer"
                ? "Authorization"
                : remote.token.header,
            scheme: remote.token.kind,
          },
    localRules: [],
  };
}
