// What is common to the kinds of isolation: what a server may touch, and how it is started behind them. Pure.
import { isWithin } from "./mount-folders.ts";

/** Absolute real paths. What is not among them is not there for the server. */
export interface Mounts {
  readonly read: readonly string[];
  readonly write: readonly string[];
  /** Below `write`, and not to be changed: they are there when the server starts. */
  readonly shut: readonly string[];
  /** Folders that `shut` lies in: as mounts of their own they cannot be moved away with what is in them. */
  readonly held: readonly string[];
  /** What is there, and nothing of it to be seen. */
  readonly hidden: readonly {
    readonly path: string;
    readonly kind: "file" | "folder";
  }[];
}

/** Where the proxy is for a server, in its own network. */
export const PROXY_PORT = 3128;

/** How programs are told of the proxy; Node's own `fetch` wants the last one. */
export const PROXY_ENV: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ["http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"].map((name) => [
      name,
      `http://127.0.0.1:${PROXY_PORT}`,
    ]),
  ),
  NODE_USE_ENV_PROXY: "1",
};

/**
 * A program for Node: opens the proxy's port in the network that it runs in, hands the listener out over its channel, and
 * ends when it was taken.
 */
export const HAND_OUT =
  `const s=require("net").createServer().listen(${PROXY_PORT},"127.0.0.1",()=>process.send({},s));` +
  `process.once("message",()=>{s.close();process.disconnect()})`;

/** Whether a folder is among what a server is given. */
export const isGiven = (
  path: string,
  { read, write }: Pick<Mounts, "read" | "write">,
): boolean => [...read, ...write].some((folder) => isWithin(path, folder));

/** Each path once, outer before inner, without what another one holds already; writing holds reading. */
export function arrange({
  read,
  write,
}: Pick<Mounts, "read" | "write">): readonly {
  readonly path: string;
  readonly mode: "read" | "write";
}[] {
  const writes = [...new Set(write)].filter(
    (path) => !write.some((other) => other !== path && isWithin(path, other)),
  );
  const reads = [...new Set(read)].filter(
    (path) =>
      !writes.some((other) => isWithin(path, other)) &&
      !read.some((other) => other !== path && isWithin(path, other)),
  );
  return [
    ...reads.map((path) => ({ path, mode: "read" as const })),
    ...writes.map((path) => ({ path, mode: "write" as const })),
  ].sort((a, b) => (a.path < b.path ? -1 : 1));
}
