// Puts the command of a local server behind the isolation that its file asks for, or says why that cannot be. Nothing is
// ever started without it.
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { bareRecord, type CallRecord } from "../enforce/record.ts";
import type { ServerPlan } from "../guard/launch-server.ts";
import type { Host } from "../host/host.ts";
import { hostRule } from "../match/named-hosts.ts";
import type { Model, Server, StdioTransport } from "../model/model.ts";
import {
  addressRefusal,
  hostRefusal,
  type HostRules,
} from "../policy/judge-host.ts";
import {
  startHostsProxy,
  type HostsProxy,
  type ProxyLine,
} from "../proxy/hosts-proxy.ts";
import { stateFolder } from "../read/discover.ts";
import { holdMountPoints, releaseMountPoints } from "../state/mount-points.ts";
import { isolationKinds } from "./isolation-kinds.ts";
import type { PlannedServer } from "./plan-server.ts";
import { serverMounts } from "./server-mounts.ts";

/** What the log says of a host that a server asks for. */
export const hostRecord = (server: string, line: ProxyLine): CallRecord =>
  bareRecord({ server, ...line });

/** `log`: one line for each host that the server asks for; false when it could not be written. */
export async function isolateServer(
  host: Host,
  model: Model,
  server: Server & { readonly transport: StdioTransport },
  planned: PlannedServer,
  log: (line: ProxyLine) => boolean,
): Promise<
  { readonly plan: ServerPlan } | { readonly problems: readonly Diagnostic[] }
> {
  const { isolation } = server.transport;
  if (isolation.kind === "none") return { plan: planned.plan };
  const files = serverMounts(host, model, server, planned.plan.cwd);
  if ("problem" in files) return { problems: [files.problem] };
  const listed =
    server.hosts.some(({ allow }) => allow !== null) &&
    (isolation.kind === "bubblewrap" || isolation.network === "hosts");
  const proxy = listed ? proxyFor(server, log) : null;
  const { mounts } = files;
  const parts = { host, model, server, planned, mounts, proxy };
  const made =
    isolation.kind === "bubblewrap"
      ? isolationKinds.bubblewrap(parts)
      : await isolationKinds.container(parts, isolation);
  const release = async (): Promise<void> => {
    proxy?.close();
    if ("plan" in made) await made.plan.release?.();
  };
  if ("problem" in made) {
    await release();
    return {
      problems: [{ ...made.problem, at: isolation.origin.at }],
    };
  }
  const state = stateFolder(host);
  const held = await holdMountPoints(host, state, files.points);
  if (held.value === null) {
    await release();
    return { problems: held.diagnostics };
  }
  return {
    plan: {
      ...made.plan,
      async release() {
        await release();
        await releaseMountPoints(host, state);
      },
    },
  };
}

function proxyFor(
  server: Server,
  log: (line: ProxyLine) => boolean,
): HostsProxy {
  const layers = server.hosts.map(({ allow, ports }): HostRules => ({
    allow: allow?.map(({ value }) => hostRule(value)) ?? null,
    ports: ports?.map(({ value }) => value) ?? null,
  }));
  return startHostsProxy({
    judge: (target) => hostRefusal(layers, target),
    refuseAddress: (address) => addressRefusal(layers, address),
    log,
  });
}
