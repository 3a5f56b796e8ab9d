// A server's command inside bubblewrap: the system read-only, its own files and nothing else, no network but the proxy's
// port, and no life beyond ours. Pure: what there is on the machine is given.
import {
  arrange,
  HAND_OUT,
  isGiven,
  PROXY_ENV,
  type Mounts,
} from "./isolated.ts";
import type { ServerPlan } from "../guard/launch-server.ts";

interface BubblewrapParts {
  /** The program, absolute. */
  readonly bwrap: string;
  readonly mounts: Mounts;
  /** What the command needs outside the system's folders, read-only; absolute. */
  readonly programs: readonly string[];
  /** The folder outside that is the server's home inside. */
  readonly home: string;
  /** Absolute path of Node when the server has hosts, else null: no network. */
  readonly proxy: string | null;
  /** A seccomp program in a file: see `seccomp.ts`. */
  readonly filter: string;
  /** We are root: then `/proc/sys` of the machine is writable inside unless it is covered. */
  readonly root: boolean;
}

/** Where the server's home is for the server. */
export const HOME = "/fenzi/home";

/** Not `/etc` as a whole: it has keys and passwords that root may read. */
const ETC = [
  "alternatives",
  "ca-certificates",
  "group",
  "hosts",
  "ld.so.cache",
  "ld.so.conf",
  "ld.so.conf.d",
  "localtime",
  "mime.types",
  "nsswitch.conf",
  "os-release",
  "passwd",
  "pki",
  "protocols",
  "services",
  "ssl",
];

/** Folders of the system; those that are links to below `/usr` become what they lead to. */
const SYSTEM = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/opt"];

/** Under this name a variable passes by bubblewrap itself, which would otherwise obey a server's `LD_PRELOAD`. */
const CARRIED = "FENZI_V_";

/** Wraps the command. Values of variables stand in the environment only, where other users cannot read them. */
export function bubblewrap(
  plan: ServerPlan,
  parts: BubblewrapParts,
): ServerPlan {
  const { mounts, proxy } = parts;
  const env: Readonly<Record<string, string>> = {
    ...plan.env,
    ...(proxy === null ? {} : PROXY_ENV),
    HOME,
  };
  const names = Object.keys(env);
  const bind = (kind: string, paths: readonly string[]) =>
    paths.flatMap((path) => [kind, path, path]);
  const script = [
    ...(proxy === null
      ? []
      : [
          `"$0" -e '${HAND_OUT}' || exit 9`,
          "unset NODE_CHANNEL_FD NODE_CHANNEL_SERIALIZATION_MODE",
          "exec 3>&-",
        ]),
    ...names.map((name) => `export ${name}="$${CARRIED}${name}"`),
    ...(names.length === 0
      ? []
      : [`unset ${names.map((name) => CARRIED + name).join(" ")}`]),
    'exec "$@"',
  ].join("\n");
  return {
    argv: [
      "/bin/sh",
      "-c",
      'exec 9<"$0" && exec "$@"',
      parts.filter,
      parts.bwrap,
      "--unshare-all",
      "--die-with-parent",
      "--new-session",
      "--cap-drop",
      "ALL",
      "--hostname",
      "fenzi",
      "--seccomp",
      "9",
      ...bind("--ro-bind-try", SYSTEM),
      ...bind(
        "--ro-bind-try",
        ETC.map((name) => `/etc/${name}`),
      ),
      "--proc",
      "/proc",
      "--dev",
      "/dev",
      "--tmpfs",
      "/tmp",
      "--tmpfs",
      "/run",
      "--bind",
      parts.home,
      HOME,
      ...arrange({
        read: [...mounts.read, ...parts.programs],
        write: mounts.write,
      }).flatMap(({ path, mode }) =>
        bind(mode === "write" ? "--bind-try" : "--ro-bind-try", [path]),
      ),
      ...(isGiven(plan.cwd, mounts) ? [] : ["--dir", plan.cwd]),
      ...bind("--bind", mounts.held),
      ...bind("--ro-bind", mounts.shut),
      ...mounts.hidden.flatMap(({ path, kind }) =>
        kind === "file" ? ["--ro-bind", "/dev/null", path] : ["--tmpfs", path],
      ),
      ...(parts.root ? bind("--ro-bind", ["/proc/sys"]) : []),
      "--remount-ro",
      "/",
      "--chdir",
      plan.cwd,
      "--",
      "/bin/sh",
      "-c",
      script,
      proxy ?? "sh",
      ...plan.argv,
    ],
    env: Object.fromEntries(
      Object.entries(env).map(([name, value]) => [CARRIED + name, value]),
    ),
    cwd: "/",
  };
}
