// The kinds of isolation on this machine: the programs that do it, and what they are started with.
import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { basename, join } from "node:path";
import { report } from "../diagnostics/catalog.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { removeContainer, removeLeftOver } from "./engine.ts";
import { bubblewrap } from "./isolate-bubblewrap.ts";
import { container, containerName, ofTheClient } from "./isolate-container.ts";
import type { Mounts } from "./isolated.ts";
import type { ServerPlan } from "../guard/launch-server.ts";
import { holdNetwork } from "./network-holder.ts";
import { seccompProgram } from "./seccomp.ts";
import type { Host } from "../host/host.ts";
import type { Isolation, Model, Server } from "../model/model.ts";
import type { HostsProxy } from "../proxy/hosts-proxy.ts";
import { stateFolder } from "../read/discover.ts";
import { findProgram, safePath } from "./find-program.ts";
import { isolatedHome, programFiles } from "./isolated-files.ts";
import type { PlannedServer } from "./plan-server.ts";
import { sha256 } from "../sha256.ts";

interface Parts {
  readonly host: Host;
  readonly model: Model;
  readonly server: Server;
  readonly planned: PlannedServer;
  readonly mounts: Mounts;
  /** Null: no network. */
  readonly proxy: HostsProxy | null;
}

type Made = { readonly plan: ServerPlan } | { readonly problem: Diagnostic };
type Container = Extract<Isolation, { readonly kind: "container" }>;

function inBubblewrap(parts: Parts): Made {
  const { host, server, planned, mounts, proxy } = parts;
  const { name } = server;
  const filter = seccompProgram(process.arch);
  if (host.platform !== "linux" || filter === null)
    return cannot(name, "bubblewrap", "Linux on x86-64 or ARM64");
  const bwrap = programOf(parts, "bwrap");
  if (bwrap === null) return missing(host, name, "bubblewrap");
  const { plan } = planned;
  const node = proxy === null ? null : process.execPath;
  const filterFile = join(stateFolder(host), `seccomp-${process.arch}.bpf`);
  host.files.makeFolder(stateFolder(host), 0o700);
  host.files.writeAtomic(filterFile, filter, 0o600);
  const wrapped = bubblewrap(plan, {
    bwrap,
    mounts,
    programs: programFiles(host, [
      plan.argv[0] ?? "",
      ...(node === null ? [] : [node]),
    ]),
    home: isolatedHome(host, server),
    proxy: node,
    filter: filterFile,
    root: host.uid === 0,
  });
  return {
    plan: proxy === null ? wrapped : { ...wrapped, takeListener: proxy.take },
  };
}

/** What an engine's own program needs to find the engine. */
const OF_THE_ENGINE =
  /^(?:PATH|HOME|XDG_RUNTIME_DIR|XDG_CONFIG_HOME|XDG_DATA_HOME|DOCKER_(?:HOST|CONFIG|CONTEXT|CERT_PATH|TLS_VERIFY)|CONTAINER_(?:HOST|CONNECTION)|CONTAINERS_(?:CONF|STORAGE_CONF)|STORAGE_DRIVER|SYSTEMROOT|USERPROFILE)$/;

async function inContainer(parts: Parts, isolation: Container): Promise<Made> {
  const { host, server, planned, mounts, proxy } = parts;
  const { name } = server;
  const variable = ofTheClient(planned.variables);
  if (variable !== null)
    return { problem: report("isolation/variable", { name, variable }) };
  const env: Record<string, string> = {};
  for (const [key, value] of Object.entries(host.env))
    if (value !== undefined && OF_THE_ENGINE.test(key)) env[key] = value;
  env["PATH"] = planned.plan.env["PATH"] ?? "";
  const machine = sha256(hostname()).slice(0, 16);
  // Only Podman can put a container into a network that somebody else made.
  const engines = proxy === null ? ["docker", "podman"] : ["podman"];
  const found = engines.flatMap((program) => programOf(parts, program) ?? []);
  if (found.length === 0) return missing(host, name, "podman");
  let engine: string | undefined;
  for (const program of found)
    if (
      engine === undefined &&
      (await removeLeftOver({ program, env }, machine, host.processLives))
    )
      engine = program;
  if (engine === undefined)
    return {
      problem: report("isolation/failed", {
        name,
        what: `${found.join(" and ")} did not answer`,
      }),
    };
  const client = { program: engine, env };
  const own = containerName(host.pid, randomBytes(6).toString("hex"));

  let network: Awaited<ReturnType<typeof holdNetwork>> = null;
  if (proxy !== null) {
    if (host.platform !== "linux")
      return cannot(name, "a container with `network: hosts`", "Linux");
    const bwrap = programOf(parts, "bwrap");
    if (bwrap === null) return missing(host, name, "bubblewrap");
    const folder = join(stateFolder(host), "sockets");
    host.files.makeFolder(folder, 0o700);
    network = await holdNetwork({
      bwrap,
      node: process.execPath,
      before: host.uid === 0 ? [] : [engine, "unshare"],
      socket: join(folder, own),
      env,
    });
    if (network === null)
      return {
        problem: report("isolation/failed", {
          name,
          what: "no network of its own could be made",
        }),
      };
    proxy.take(network.listener);
  }
  const user =
    host.uid === null ? null : { uid: host.uid, gid: process.getgid?.() ?? 0 };
  const plan = container(
    { ...planned.plan, env },
    {
      engine,
      image: isolation.image,
      readOnly: isolation.readOnly,
      name: own,
      machine,
      mounts,
      user,
      keepId:
        basename(engine) === "podman" && host.uid !== null && host.uid !== 0,
      network: network?.file ?? null,
      variables: planned.variables,
    },
  );
  return {
    plan: {
      ...plan,
      async release() {
        await removeContainer(client, own);
        network?.release();
      },
    },
  };
}

/** Found as a server's own program is: in no folder that a repository can write to. */
function programOf({ host, model }: Parts, program: string): string | null {
  const found = findProgram(host, {
    program,
    path: safePath(host, model),
    from: null,
  });
  return "path" in found ? found.path : null;
}

const cannot = (name: string, what: string, needs: string): Made => ({
  problem: report("isolation/system", { name, what, needs }),
});

/** How each system's packages are installed, by the program that does it. */
const INSTALLERS: readonly (readonly [program: string, words: string])[] = [
  ["/usr/bin/apt-get", "sudo apt-get install -y --no-install-recommends"],
  ["/usr/bin/dnf", "sudo dnf install -y"],
  ["/usr/bin/zypper", "sudo zypper install -y"],
  ["/usr/bin/pacman", "sudo pacman -S --noconfirm"],
  ["/sbin/apk", "sudo apk add"],
];

function missing(host: Host, name: string, program: string): Made {
  const words =
    INSTALLERS.find(([file]) => host.files.stat(file) !== null)?.[1] ??
    INSTALLERS[0]?.[1] ??
    "";
  return {
    problem: report(
      "isolation/no-program",
      { name, program: program === "podman" ? "docker or podman" : program },
      { help: `install it: ${words} ${program}` },
    ),
  };
}

export const isolationKinds = {
  bubblewrap: inBubblewrap,
  container: inContainer,
};
