// How a local server is started: its program, found where no repository can put one, its arguments and variables with
// their references replaced, and the folder it runs in. Nothing is started here.
import { dirname, join } from "node:path";
import { report } from "../diagnostics/catalog.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { ServerPlan } from "../guard/launch-server.ts";
import type { Host } from "../host/host.ts";
import { systemReason } from "../host/system-reason.ts";
import { isOuterLayer } from "../match/outer-layer.ts";
import { findSecret } from "../match/secret.ts";
import { expandTemplate, referencesOf } from "../match/template.ts";
import type { Model, Server, StdioTransport } from "../model/model.ts";
import { stateFolder } from "../read/discover.ts";
import { findProgram, safePath } from "./find-program.ts";

export interface PlannedServer {
  readonly plan: ServerPlan;
  /** Its own variables: `plan.env` without what every program gets. */
  readonly variables: Readonly<Record<string, string>>;
  /** Values it is given that must never flow back to an agent. */
  readonly secrets: readonly string[];
}

/** The server is one with a `command`. */
export function planServer(
  host: Host,
  model: Model,
  server: Server & { readonly transport: StdioTransport },
):
  | { readonly value: PlannedServer }
  | { readonly problems: readonly Diagnostic[] } {
  const { name, transport } = server;
  const problems: Diagnostic[] = [];
  const secrets: string[] = [];
  const unset = (variable: string, at: Diagnostic["at"]) =>
    void problems.push(report("guard/unset", { name, variable }, { at }));

  const words: string[] = [];
  for (const { value, origin } of transport.command) {
    const expanded = expandTemplate(value, host.env);
    if ("unset" in expanded) {
      unset(expanded.unset, origin.at);
      continue;
    }
    const [variable] = referencesOf(value);
    const place = { kind: "word", before: words.at(-1) ?? null } as const;
    if (variable !== undefined && findSecret(expanded.text, place) !== null)
      problems.push(
        report(
          "guard/secret-argument",
          { name, variable },
          {
            at: origin.at,
            help: "give it to the server in `env`, where other programs do not see it",
          },
        ),
      );
    words.push(expanded.text);
  }
  const path = safePath(host, model);
  const variables: Record<string, string> = {};
  for (const { name: key, value, origin } of transport.env) {
    const expanded = expandTemplate(value, host.env);
    if ("unset" in expanded) {
      unset(expanded.unset, origin.at);
      continue;
    }
    variables[key] = expanded.text;
    // What stands in the file is no secret; what comes from the environment is one if its name or its form says so.
    const isSecret = [key, ...referencesOf(value)].some(
      (each) => findSecret(expanded.text, { kind: "env", name: each }) !== null,
    );
    if (referencesOf(value).length > 0 && isSecret) secrets.push(expanded.text);
  }
  if (problems.length > 0) return { problems };

  const cwd = folderOf(host, model, server);
  if ("problem" in cwd) return { problems: [cwd.problem] };
  const [program = "", ...args] = words;
  const found =
    // The image has programs of its own.
    transport.isolation.kind === "container"
      ? { path: program }
      : findProgram(host, {
          program,
          path,
          // A path in the machine's file must not mean something of the folder that the agent runs in.
          from: isOuterLayer(server.origin.layer) ? null : cwd.folder,
        });
  if ("reason" in found)
    return {
      problems: [
        report(
          "guard/no-program",
          { program, reason: found.reason },
          {
            at: transport.command[0]?.origin.at ?? null,
            help: found.help,
          },
        ),
      ],
    };
  return {
    value: {
      plan: {
        argv: [found.path, ...args],
        env: { ...baseEnvironment(host), PATH: path, ...variables },
        cwd: cwd.folder,
      },
      variables,
      secrets,
    },
  };
}

/** Variables that a program needs to run at all. */
const BASE = /^(?:HOME|LANG|LANGUAGE|LC_[A-Z]+)$/;
const BASE_WINDOWS =
  /^(?:APPDATA|COMSPEC|HOMEDRIVE|HOMEPATH|LOCALAPPDATA|PATHEXT|PROGRAMDATA|PROGRAMFILES|SYSTEMDRIVE|SYSTEMROOT|TEMP|TMP|USERNAME|USERPROFILE|WINDIR)$/i;

function baseEnvironment(host: Host): Record<string, string> {
  const out: Record<string, string> = {};
  for (const [name, value] of Object.entries(host.env))
    if (
      value !== undefined &&
      (BASE.test(name) ||
        (host.platform === "win32" && BASE_WINDOWS.test(name)))
    )
      out[name] = value;
  return out;
}

/** The folder that it runs in; one of its own is made. */
function folderOf(
  host: Host,
  model: Model,
  server: Server & { readonly transport: StdioTransport },
): { readonly folder: string } | { readonly problem: Diagnostic } {
  const { transport, name, origin } = server;
  const { cwd } = transport;
  const own = cwd === "default" && isOuterLayer(server.origin.layer);
  const folder =
    cwd !== "default"
      ? "project" in cwd
        ? model.project
        : cwd.value
      : own
        ? join(stateFolder(host), "servers", name)
        : dirname(origin.at.file);
  try {
    if (own) host.files.makeFolder(folder, 0o700);
    if (host.files.stat(folder)?.kind === "folder") return { folder };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    return { problem: noFolder(folder, systemReason(code), server) };
  }
  return { problem: noFolder(folder, systemReason("ENOENT"), server) };
}

const noFolder = (
  path: string,
  reason: string,
  { transport }: { readonly transport: StdioTransport },
): Diagnostic =>
  report(
    "guard/no-folder",
    { path, reason },
    { at: transport.cwd === "default" ? null : transport.cwd.origin.at },
  );
