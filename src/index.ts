/**
 * Fenzi as a library: read a project, compile it for agents, decide about calls, read other tools' files, and stand
 * before servers.
 *
 * ```ts
 * import { compile, decide, emitters, loadProject, nodeHost, preparePolicy } from "fenzi";
 *
 * const host = { ...nodeHost(), cwd: "/path/to/project" };
 * const { model, diagnostics } = loadProject(host);
 * if (model !== null) {
 *   const [server] = model.servers;
 *   if (server !== undefined)
 *     console.log(decide(preparePolicy(server, model), { tool: "read_file" }).effect);
 *   const { agents } = compile(host, model, {
 *     emitters, out: null, at: null, workdir: null, allowUnenforced: false,
 *   });
 *   for (const { agent, emission } of agents) console.log(agent, emission.launch.argv);
 * }
 * ```
 *
 * Nothing here writes, starts or contacts anything, but for `startGateway` and `startGuard`. A user's mistake is a
 * diagnostic, never an exception; with an error there is no model. Whether the project is trusted is for the caller to
 * decide.
 */

// The pipeline.
export {
  compile,
  loadProject,
  type CompiledAgent,
  type CompileOptions,
  type Project,
} from "./compile.ts";
export { emitters } from "../emitters/index.ts";
export { nodeHost } from "./host/node-host.ts";
export type { Files, FileStat, Host, Output, Prompts } from "./host/host.ts";

// The decision.
export {
  decide,
  NO_COMMON_RULES,
  preparePolicy,
  type Call,
  type Decision,
  type Effect,
  type Policy,
  type Reason,
} from "./policy/decide.ts";

export type {
  CallArguments,
  NamedPath,
  NamedText,
} from "./policy/argument-rules.ts";
export { argumentsIn } from "./enforce/arguments-in.ts";
export type { Facts } from "./enforce/facts.ts";
export { pathFacts } from "./host/path-facts.ts";

// The tools of a server's list that an agent is shown.
export { exposedTools } from "./enforce/exposed-tools.ts";
export type { PinCheck } from "./enforce/pins.ts";

// A first fenzi.yaml.
export { starter, type StarterServer } from "./format/starter.ts";

// A gateway before the remote servers.
export {
  startGateway,
  type Gateway,
  type GatewayOptions,
  type GatewayServer,
} from "./gateway/start-gateway.ts";
export {
  modelServers as gatewayServers,
  type ModelServers as GatewayServers,
} from "./gateway/model-servers.ts";

// A guard before one server, local or remote, over any pair of streams.
export {
  startGuard,
  type Guard,
  type GuardEnd,
  type GuardOptions,
  type GuardServer,
} from "./guard/start-guard.ts";
export type { ServerPlan } from "./guard/launch-server.ts";
export type { RemoteServer } from "./guard/remote-server.ts";
export type { Credentials } from "./upstream/credentials.ts";

export type { CallLimits, RecordLog } from "./enforce/door.ts";
export type { CallRecord } from "./enforce/record.ts";
export { Secret } from "./vault/secret.ts";

// Other tools' files.
export {
  importConfigs as importConfig,
  type Imported,
  type ImportSource,
} from "./import/import-configs.ts";
export type { ExistingServer } from "./import/settle.ts";

// Diagnostics.
export type {
  Diagnostic,
  Note,
  Position,
  Result,
  Severity,
  Span,
} from "./diagnostics/diagnostic.ts";
export { hasErrors } from "./diagnostics/diagnostic.ts";
export { catalog, report, type Code } from "./diagnostics/catalog.ts";

// The model, and what an agent is told.
export type * from "./model/model.ts";
export type * from "./model/delivered.ts";

// The contract of a target: what an emitter of your own has to be.
export type {
  Context,
  Emission,
  EmittedFile,
  Emitter,
  KeyPath,
  OtherServer,
  OtherSources,
  OwnedMember,
  ProjectContext,
  ProjectEmission,
  SharedFile,
  SharedJson,
  SharedToml,
  Source,
  Support,
  SupportTable,
} from "./emit/emitter.ts";

/** The version of this package. */
export { VERSION as version } from "./version.ts";
