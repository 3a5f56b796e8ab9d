// The same rules for a remote and a local server, and four ways to ask what they say of a message: `explain`, the road of
// `src/enforce` without anything around it, the gateway over HTTP, and the guard over standard input and output.
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { PassThrough } from "node:stream";
import { fileURLToPath } from "node:url";
import { gatewayServers } from "../../src/commands/gateway-servers.ts";
import { guardServer } from "../../src/commands/guard-server.ts";
import { loadProject } from "../../src/compile.ts";
import { enforceRequest } from "../../src/enforce/enforce-request.ts";
import { readMessage } from "../../src/enforce/message.ts";
import { createRoad } from "../../src/enforce/road.ts";
import { startGateway } from "../../src/gateway/start-gateway.ts";
import { startGuard } from "../../src/guard/start-guard.ts";
import { main } from "../../src/main.ts";
import { post } from "../gateway/client.ts";
import { answerWith, fakeServer, OK_RESULT } from "../gateway/fake-server.ts";
import { until } from "../gateway/until.ts";
import type { Corpus } from "./corpus.ts";
import { testHost } from "./test-host.ts";

const SERVER = fileURLToPath(
  new URL("../guard/stdio-server.mjs", import.meta.url),
);
const FENCE = "fence";
const TOO_LARGE = "-32600";

/** "allowed", "dropped", the rule that refuses, or the code of an error. */
export type Answer = string;

export interface Doors {
  /** Only of a call: what `fenzi explain` says. */
  explain(tool: string, args: object): Promise<Answer>;
  enforce(message: Buffer): Answer;
  gateway(message: Buffer): Promise<Answer>;
  guard(message: Buffer): Promise<Answer>;
  /** How many messages each server has received. */
  reached(): { readonly gateway: number; readonly guard: number };
  close(): Promise<void>;
}

/** `root` has or gets `project`, `home` and `outside`. */
export async function openDoors(
  { rules, common, files }: Corpus,
  root: string,
): Promise<Doors> {
  const project = join(root, "project");
  const outside = join(root, "outside");
  const put = (path: string): void => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, "");
  };
  for (const path of files) put(join(project, path));
  if (files.length > 0) {
    put(join(outside, "secret.txt"));
    symlinkSync(outside, join(project, "link"));
    symlinkSync(join(outside, "secret.txt"), join(project, "link.txt"));
    symlinkSync(join(project, "src"), join(project, "inner"));
  }
  const received = join(root, "received");
  writeFileSync(received, "");

  const server = await fakeServer((request, res) =>
    answerWith(RESULTS[request.message?.method ?? ""] ?? OK_RESULT)(
      request,
      res,
    ),
  );
  const options = {
    root,
    env: {
      PATH: process.env["PATH"] ?? "",
      FENZI_STATE_DIR: join(root, "state"),
    },
    project: {
      "fenzi.yaml": JSON.stringify({
        version: 1,
        ...common,
        mcp: {
          remote: { url: server.url, ...rules },
          local: {
            command: [process.execPath, SERVER],
            env: { RECEIVED: received },
            ...rules,
          },
        },
      }),
    },
  };
  const host = testHost(options);
  const { model, diagnostics } = loadProject(host);
  const local = model?.servers.find(({ name }) => name === "local");
  if (model === null || local === undefined)
    throw new Error(JSON.stringify(diagnostics, null, 2));

  const made = await guardServer(host, model, local);
  if ("problems" in made) throw new Error(JSON.stringify(made.problems));
  const road = createRoad(made.value);
  const gateway = await startGateway({
    servers: (await gatewayServers(host, model)).servers,
    agents: ["claude-code"],
    listen: { host: "127.0.0.1", port: 0 },
    log: () => true,
  });
  const url = gateway.url("claude-code", "remote") ?? "";

  const input = new PassThrough();
  const output = new PassThrough();
  const guard = await startGuard({
    server: made.value,
    input,
    output,
    agent: null,
    log: () => true,
  });
  let lines: string[] = [];
  let rest = "";
  output.setEncoding("utf8");
  output.on("data", (text: string) => {
    const parts = (rest + text).split("\n");
    rest = parts.pop() ?? "";
    lines.push(...parts);
  });
  let fences = 0;

  return {
    async explain(tool, args) {
      const asked = testHost(options);
      await main(
        ["explain", "local", tool, "--json"].concat([
          "--arguments",
          JSON.stringify(args),
        ]),
        asked,
      );
      const { effect, reasons } = JSON.parse(asked.out()) as {
        readonly effect: string;
        readonly reasons: readonly { readonly rule: string }[];
      };
      return effect === "allow" ? "allowed" : (reasons[0]?.rule ?? effect);
    },
    enforce(message) {
      const verdict = enforceRequest(
        road,
        readMessage(message, { bytes: made.value.limits.request }),
        { http: null, headers: null, outstanding: new Map() },
      );
      if (verdict.kind === "forward") return "allowed";
      return verdict.kind === "drop"
        ? "dropped"
        : answerIn(verdict.answer.line);
    },
    async gateway(message) {
      const { status, body } = await post(url, message);
      // What is too large is refused before it is read, so there is no message to answer.
      return status === 413 ? TOO_LARGE : answerIn(body);
    },
    async guard(message) {
      const id = `${FENCE} ${(fences += 1)}`;
      lines = [];
      input.write(message);
      input.write(
        `\n{"jsonrpc":"2.0","id":${JSON.stringify(id)},"method":"ping"}\n`,
      );
      const isFence = (line: string): boolean => line.includes(`"${id}"`);
      await until(() => lines.some(isFence), 20_000);
      const [answer = "", ...more] = lines.filter((line) => !isFence(line));
      return more.length > 0 ? lines.join(" and ") : answerIn(answer);
    },
    reached: () => ({
      gateway: server.received.length,
      guard: readFileSync(received, "utf8")
        .split("\n")
        .filter((line) => line !== "" && !line.includes(`"${FENCE} `)).length,
    }),
    async close() {
      await guard.close();
      await gateway.close();
      await server.close();
    },
  };
}

const RESULTS: Readonly<Record<string, unknown>> = {
  "tools/list": { tools: [] },
  ping: {},
};

/** What a client is told. */
function answerIn(text: string | null): Answer {
  if (text === null || text === "") return "dropped";
  const { result, error } = JSON.parse(text) as {
    readonly result?: {
      readonly isError?: boolean;
      readonly content: readonly { readonly text: string }[];
    };
    readonly error?: {
      readonly code: number;
      readonly data?: { readonly rule?: string };
    };
  };
  if (error !== undefined) return error.data?.rule ?? String(error.code);
  if (result?.isError !== true) return "allowed";
  const words = result.content[0]?.text ?? "";
  return /^policy_denied: .*\(([a-z.-]+)\)\. /s.exec(words)?.[1] ?? words;
}
