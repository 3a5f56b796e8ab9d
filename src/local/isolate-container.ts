// A server's command in a container of an image: nothing of the machine but its own files, no rights, no network but the
// proxy's port. Pure: what there is on the machine is given.
import { arrange, isGiven, PROXY_ENV, type Mounts } from "./isolated.ts";
import type { ServerPlan } from "../guard/launch-server.ts";

interface ContainerParts {
  /** Absolute path of `docker` or `podman`. */
  readonly engine: string;
  readonly image: string;
  readonly readOnly: boolean;
  /** A name that no other container has: see `containerName`. */
  readonly name: string;
  /** Which machine's containers these are: an engine may serve several. */
  readonly machine: string;
  readonly mounts: Pick<Mounts, "read" | "write" | "shut" | "held" | "hidden">;
  /** The user that the files belong to; null where there is none (Windows). */
  readonly user: { readonly uid: number; readonly gid: number } | null;
  /** Podman that runs as that user maps it to another one unless told not to. */
  readonly keepId: boolean;
  /** A file of a network namespace with the proxy's port in it; null: no network. */
  readonly network: string | null;
  /** The server's own variables. */
  readonly variables: Readonly<Record<string, string>>;
}

/** What one server may take. */
const MOST = { processes: 512, memory: "2g" };

/** Names of variables that the engine's own program reads, or that the system reads for any program. */
const OF_THE_CLIENT =
  /^(?:PATH|HOME|USER|TMPDIR|LD_.*|DYLD_.*|GLIBC_TUNABLES|GODEBUG|SSL_CERT_.*|XDG_.*|DOCKER_.*|BUILDKIT_.*|CONTAINERS?_.*|PODMAN_.*|STORAGE_.*|_CONTAINERS_.*|REGISTRY_.*|(?:HTTPS?|ALL|NO)_PROXY|(?:https?|all|no)_proxy|SSH_.*)$/;

/** The first variable that cannot be given by name, because the engine would take it for its own. */
export const ofTheClient = (
  variables: Readonly<Record<string, string>>,
): string | null =>
  Object.keys(variables).find((name) => OF_THE_CLIENT.test(name)) ?? null;

/** `plan.env`: what the engine's program gets. No value of a variable is on the command line, where others read it. */
export function container(plan: ServerPlan, parts: ContainerParts): ServerPlan {
  const { mounts, user, network, variables } = parts;
  const [program = "", ...args] = plan.argv;
  const shut = [
    ...mounts.shut.map((path) => mount(path, "read")),
    ...mounts.hidden.map(({ path, kind }) =>
      kind === "file" ? mount(path, "read", "/dev/null") : ["--tmpfs", path],
    ),
  ];
  return {
    argv: [
      parts.engine,
      "run",
      "--rm",
      "--interactive",
      "--name",
      parts.name,
      "--label",
      `fenzi=${parts.machine}`,
      // It was asked to end before; what is left is killed.
      "--stop-timeout",
      "1",
      "--log-driver",
      "none",
      "--cap-drop",
      "ALL",
      "--security-opt",
      "no-new-privileges",
      "--network",
      network === null ? "none" : `ns:${network}`,
      "--pids-limit",
      String(MOST.processes),
      "--memory",
      MOST.memory,
      ...(user === null ? [] : ["--user", `${user.uid}:${user.gid}`]),
      ...(parts.keepId ? ["--userns", "keep-id"] : []),
      ...(parts.readOnly ? ["--read-only", "--tmpfs", "/tmp"] : []),
      ...arrange(mounts).flatMap(({ path, mode }) => mount(path, mode)),
      ...(isGiven(plan.cwd, mounts) ? [] : ["--tmpfs", plan.cwd]),
      ...mounts.held.flatMap((path) => mount(path, "write")),
      ...shut.flat(),
      "--workdir",
      plan.cwd,
      ...Object.keys(variables).flatMap((name) => ["--env", name]),
      ...(network === null
        ? []
        : Object.entries(PROXY_ENV).flatMap(([name, value]) => [
            "--env",
            `${name}=${value}`,
          ])),
      "--entrypoint",
      program,
      parts.image,
      ...args,
    ],
    env: { ...plan.env, ...variables },
    cwd: "/",
  };
}

/** Fields of CSV: a path may have commas and quotes in it. */
function mount(
  path: string,
  mode: "read" | "write",
  source = path,
): readonly string[] {
  const fields = [
    "type=bind",
    `source=${source}`,
    `target=${path}`,
    ...(mode === "read" ? ["readonly"] : []),
  ];
  return [
    "--mount",
    fields
      .map((field) =>
        /[",]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field,
      )
      .join(","),
  ];
}

/** Says whose it is, so that what nobody could remove is removed later. */
export const containerName = (pid: number, random: string): string =>
  `fenzi-${pid}-${random}`;

/** The process that a container belongs to, or null for one that is not ours. */
export function ownerOf(name: string): number | null {
  const pid = /^fenzi-(\d{1,10})-[0-9a-f]+$/.exec(name)?.[1];
  return pid === undefined ? null : Number(pid);
}
