// Runs the emitters over one model: checks what they return, turns what an agent cannot hold into diagnostics.
import { report } from "../diagnostics/catalog.ts";
import {
  hasErrors,
  InternalError,
  type Diagnostic,
  type Severity,
  type Span,
} from "../diagnostics/diagnostic.ts";
import { referencesOf } from "../match/template.ts";
import type { Delivered, Launch, NamedValue } from "../model/delivered.ts";
import type { AgentSettings, Json } from "../model/model.ts";
import type {
  Context,
  Emission,
  Emitter,
  ProjectContext,
  ProjectEmission,
  SupportTable,
} from "./emitter.ts";

export interface EmittedAgent {
  readonly agent: string;
  readonly emission: Emission;
  readonly servers: readonly Delivered[];
  /** Without what `notEnforced` says of it. */
  readonly diagnostics: readonly Diagnostic[];
  readonly unenforced: readonly Unenforced[];
}

/** Restrictions of one server in use that an agent's file does not hold; there is one at least. */
interface Unenforced {
  readonly server: string;
  readonly remote: boolean;
  readonly severity: Severity;
  readonly used: readonly {
    readonly key: keyof SupportTable;
    readonly at: Span;
  }[];
}

export interface Options {
  /** `--allow-unenforced`: a restriction that nobody holds for a local server is a warning. */
  readonly allowUnenforced: boolean;
}

/** Emits for one agent. */
export function emitFor(
  emitter: Emitter,
  servers: readonly Delivered[],
  context: Omit<Context, "settings">,
  settings: readonly AgentSettings[],
  options: Options,
): EmittedAgent {
  const own = settings.filter((s) => s.agent === emitter.target);
  const diagnostics: Diagnostic[] = own.flatMap((s) =>
    reservedKeys(emitter, s),
  );
  for (const server of servers)
    for (const each of leftOut(emitter, server)) diagnostics.push(each);
  const unenforced = servers.flatMap((s) => unsupported(emitter, s, options));
  const config: Json = hasErrors(diagnostics) ? {} : (own[0]?.config ?? {});
  let emission: Emission;
  try {
    emission = emitter.emit(servers, { ...context, settings: config });
  } catch (error) {
    throw new InternalError(`emitter \`${emitter.target}\` crashed`, {
      cause: error,
    });
  }
  checkPaths(emitter, [
    ...emission.files.map((f) => f.path),
    ...emission.folders,
  ]);
  return {
    agent: emitter.target,
    emission,
    servers,
    diagnostics: [
      ...diagnostics,
      ...emission.diagnostics,
      ...ownVariables(emitter.target, servers, emission.launch),
    ],
    unenforced,
  };
}

/** Emits the agent's own files in a project. */
export function emitSharedFor(
  emitter: Emitter,
  servers: readonly Delivered[],
  context: ProjectContext,
): ProjectEmission {
  let emission: ProjectEmission;
  try {
    emission = emitter.emitShared(servers, context);
  } catch (error) {
    throw new InternalError(`emitter \`${emitter.target}\` crashed`, {
      cause: error,
    });
  }
  checkPaths(
    emitter,
    emission.files.flatMap((f) => f.paths),
  );
  return emission;
}

/** Relative, POSIX, inside the folder. */
function checkPaths(emitter: Emitter, paths: readonly string[]): void {
  for (const path of paths)
    if (!/^(?!.*(?:^|\/)\.{0,2}(?:\/|$))[^\\]+$/.test(path))
      throw new InternalError(
        `emitter \`${emitter.target}\` wants to write \`${path}\``,
      );
}

/** References to what the agent is started with: it would put in that, and not what the person has there. */
const ownVariables = (
  agent: string,
  servers: readonly Delivered[],
  { env }: Launch,
): readonly Diagnostic[] =>
  servers
    .flatMap(({ transport }): readonly Pick<NamedValue, "value" | "at">[] =>
      transport.kind === "http"
        ? transport.headers
        : [...transport.command, ...transport.env],
    )
    .flatMap(({ value, at }) =>
      referencesOf(value)
        .filter((name) => Object.hasOwn(env, name))
        .map((name) =>
          report(
            "deliver/reference-not-supported",
            {
              text: `\${${name}}`,
              agent,
              instead:
                "it is started with a value of its own: write the text out",
            },
            { at },
          ),
        ),
    );

/** What the agents' files do not hold: once for each server and the agents for which it is the same. */
export function notEnforced(
  emitted: readonly Pick<EmittedAgent, "agent" | "unenforced">[],
): readonly Diagnostic[] {
  const groups = new Map<string, { one: Unenforced; agents: string[] }>();
  for (const { agent, unenforced } of emitted)
    for (const one of unenforced) {
      const same = JSON.stringify(one);
      const group = groups.get(same) ?? { one, agents: [] };
      groups.set(same, group);
      group.agents.push(agent);
    }
  return [...groups.values()].map(({ one, agents }) => {
    const { server, remote, severity, used } = one;
    const [first, ...more] = used;
    return report(
      "deliver/not-enforced",
      { keys: used.map(({ key }) => key), agents, server, remote },
      {
        at: first?.at ?? null,
        severity,
        notes: more
          .filter(({ at }) => at !== first?.at)
          .map(({ key, at }) => ({ message: `\`${key}\` is here`, at })),
        help: remote
          ? null
          : `\`fenzi apply\` puts the guard in front of it, which holds this${severity === "error" ? "; `--allow-unenforced` goes on without" : ""}`,
      },
    );
  });
}

const reservedKeys = (
  emitter: Emitter,
  settings: AgentSettings,
): readonly Diagnostic[] =>
  emitter.reserved
    .filter((key) => holds(settings.config, key.split(".")))
    .map((key) =>
      report(
        "emit/settings-reserved",
        { key, agent: emitter.target },
        { at: settings.origin.at },
      ),
    );

const holds = (value: unknown, [key, ...more]: readonly string[]): boolean =>
  key === undefined ||
  (typeof value === "object" &&
    value !== null &&
    Object.hasOwn(value, key) &&
    holds(value[key as keyof typeof value], more));

const leftOut = (emitter: Emitter, server: Delivered): readonly Diagnostic[] =>
  server.leftOut.map(({ effect, rule }) =>
    report(
      "deliver/tools-left-out",
      {
        rule: rule.text,
        agent: emitter.target,
        server: server.name,
        effect,
      },
      { at: rule.origin.at },
    ),
  );

/** Restrictions in use that this agent's file does not hold. */
function unsupported(
  emitter: Emitter,
  server: Delivered,
  options: Options,
): readonly Unenforced[] {
  const remote = server.transport.kind === "http";
  const { at } = server.origin;
  const tools = server.filter;
  const used: Unenforced["used"] = [
    ...(tools.everything ? [] : [{ key: "tools.allow", at } as const]),
    ...(tools.ask.length === 0 ? [] : [{ key: "tools.ask", at } as const]),
    ...(tools.deny.length === 0 ? [] : [{ key: "tools.deny", at } as const]),
    ...server.unheld,
  ];
  const open = used.filter(({ key }) => emitter.support[key] !== "native");
  if (open.length === 0) return [];
  return [
    {
      server: server.name,
      remote,
      severity: remote || options.allowUnenforced ? "warning" : "error",
      used: open,
    },
  ];
}
