// Runs the emitters over one model: checks what they return, turns what an agent cannot hold into diagnostics.
import { report } from "../diagnostics/catalog.ts";
import {
  hasErrors,
  InternalError,
  type Diagnostic,
  type Span,
} from "../diagnostics/diagnostic.ts";
import type { Delivered } from "../model/delivered.ts";
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
  readonly diagnostics: readonly Diagnostic[];
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
    for (const each of [
      ...leftOut(emitter, server),
      ...unsupported(emitter, server, options),
    ])
      diagnostics.push(each);
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
    diagnostics: [...diagnostics, ...emission.diagnostics],
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
): readonly Diagnostic[] {
  const local = server.transport.kind === "stdio";
  const { at } = server.origin;
  const tools = server.filter;
  const used: readonly {
    readonly key: keyof SupportTable;
    readonly at: Span;
  }[] = [
    ...(tools.everything ? [] : [{ key: "tools.allow", at } as const]),
    ...(tools.ask.length === 0 ? [] : [{ key: "tools.ask", at } as const]),
    ...(tools.deny.length === 0 ? [] : [{ key: "tools.deny", at } as const]),
    ...server.unheld,
  ];
  return used
    .filter(({ key }) => emitter.support[key] !== "native")
    .map(({ key, at: place }) =>
      report(
        "deliver/not-enforced",
        { what: `\`${key}\``, agent: emitter.target, server: server.name },
        {
          at: place,
          severity: local && !options.allowUnenforced ? "error" : "warning",
        },
      ),
    );
}
