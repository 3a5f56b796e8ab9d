// A network with nothing in it but the proxy's port, for a container to run in. Somebody has to be in it before there is
// one: a small program that carries each connection to the proxy, and ends when its standard input does.
import { spawn } from "node:child_process";
import { createServer, type Server } from "node:net";
import { PROXY_PORT } from "./isolated.ts";

interface Network {
  /** The file of its namespace, for as long as it is held. */
  readonly file: string;
  /** What the proxy listens to. */
  readonly listener: Server;
  release(): void;
}

/** The socket's path is the last argument. */
const CARRY =
  `const n=require("net"),p=process.argv[1];` +
  `n.createServer({allowHalfOpen:true},c=>{const s=n.connect({path:p,allowHalfOpen:true});const e=()=>{c.destroy();s.destroy()};c.on("error",e);s.on("error",e);c.pipe(s).pipe(c)})` +
  `.listen(${PROXY_PORT},"127.0.0.1",()=>require("fs").writeSync(1,process.pid+"\\n"));` +
  `process.stdin.on("end",()=>process.kill(process.pid,"SIGKILL")).resume()`;

/** Milliseconds. */
const PATIENCE = 10_000;

interface NetworkParts {
  readonly bwrap: string;
  readonly node: string;
  /** What goes before the command for an engine that runs as another user to itself: `podman unshare`. */
  readonly before: readonly string[];
  /** Where the socket may lie: only we can enter it. */
  readonly socket: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Null when there is none to be had. */
export async function holdNetwork(
  parts: NetworkParts,
): Promise<Network | null> {
  const listener = createServer().listen(parts.socket);
  const [program = "", ...args] = [
    ...parts.before,
    parts.bwrap,
    "--unshare-net",
    "--die-with-parent",
    "--dev-bind",
    "/",
    "/",
    "--",
    parts.node,
    "-e",
    CARRY,
    parts.socket,
  ];
  const child = spawn(program, args, {
    env: { ...parts.env },
    cwd: "/",
    stdio: ["pipe", "pipe", "ignore"],
  });
  child.stdin.on("error", () => {});
  const pid = await new Promise<string | null>((resolve) => {
    const late = setTimeout(() => resolve(null), PATIENCE);
    const done = (said: string | null) => {
      clearTimeout(late);
      resolve(said);
    };
    child.stdout.once("data", (chunk: Buffer) =>
      done(/^(\d+)\n$/.exec(chunk.toString())?.[1] ?? null),
    );
    child.once("error", () => done(null));
    child.once("exit", () => done(null));
  });
  const release = (): void => {
    child.stdin.end();
    child.kill("SIGKILL");
    listener.close();
  };
  if (pid === null) release();
  return pid === null
    ? null
    : { file: `/proc/${pid}/ns/net`, listener, release };
}
