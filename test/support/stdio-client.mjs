// A client that speaks to a program line by line and keeps every line as it came.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { findNodeAtLocation, parseTree } from "jsonc-parser";

const SECONDS = 30;

/** @param command the program's `argv`, `cwd` and `env` */
export function openStdio({ argv, cwd, env }) {
  const [program, ...args] = argv;
  const child = spawn(program, args, { cwd, env });
  const lines = [];
  const asked = new Map();
  const listeners = new Set();
  let ids = 0;
  let rest = "";
  let errors = "";

  child.stdin.on("error", () => {});
  child.stderr.setEncoding("utf8");
  child.stderr.on("data", (text) => (errors += text));
  child.stdout.setEncoding("utf8");
  child.stdout.on("data", (text) => {
    const parts = (rest + text).split("\n");
    rest = parts.pop();
    for (const line of parts) receive(line);
  });
  const exited = once(child, "close").then(([code, signal]) => {
    for (const { reject } of asked.values())
      reject(new Error(`ended with ${code ?? signal}: ${errors}`));
    asked.clear();
    return { code, signal };
  });

  function receive(line) {
    lines.push(line);
    let message = null;
    try {
      message = JSON.parse(line);
    } catch {
      // It is looked at by those who ask whether everything is protocol.
    }
    for (const listener of listeners) listener();
    if (message === null || message.method !== undefined) return;
    asked.get(message.id)?.resolve({ ...message, line });
    asked.delete(message.id);
  }

  const send = (message) => child.stdin.write(`${JSON.stringify(message)}\n`);

  /** The answer, with the line that it was. */
  function ask(method, params = {}, id = (ids += 1)) {
    return new Promise((resolve, reject) => {
      const late = setTimeout(
        () =>
          reject(new Error(`${method}: no answer in ${SECONDS} s: ${errors}`)),
        SECONDS * 1000,
      );
      const settle = (how) => (value) => {
        clearTimeout(late);
        how(value);
      };
      asked.set(id, { resolve: settle(resolve), reject: settle(reject) });
      send({ jsonrpc: "2.0", id, method, params });
    });
  }

  return {
    pid: child.pid,
    lines,
    exited,
    errors: () => errors,
    /** Bytes that are no line as well. */
    write: (bytes) => child.stdin.write(bytes),
    send,
    ask,
    call: (name, args = {}) => ask("tools/call", { name, arguments: args }),
    async initialize(capabilities = {}) {
      const answer = await ask("initialize", {
        protocolVersion: "2025-11-25",
        capabilities,
        clientInfo: { name: "test", version: "1.0.0" },
      });
      send({ jsonrpc: "2.0", method: "notifications/initialized" });
      return answer;
    },
    /** Resolves when a line has come that `wanted` holds of. */
    async until(wanted) {
      const end = Date.now() + SECONDS * 1000;
      while (!lines.some(wanted)) {
        if (Date.now() > end)
          throw new Error(`no such line in ${SECONDS} s: ${wanted}`);
        await new Promise((resolve) => {
          const wake = () => {
            listeners.delete(wake);
            clearTimeout(timer);
            resolve();
          };
          const timer = setTimeout(wake, 200);
          listeners.add(wake);
        });
      }
    },
    kill: (signal) => child.kill(signal),
    /** Closes its input, as a client does that is done. */
    close() {
      child.stdin.end();
      return exited;
    },
  };
}

/** The text of a member, byte for byte: `textOf(line, ["result", "content"])`. */
export function textOf(line, path) {
  const node = findNodeAtLocation(parseTree(line), path);
  return node && line.slice(node.offset, node.offset + node.length);
}
