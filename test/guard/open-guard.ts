// A real guard for tests, with its agent's side in the test's hands: the rules come from the text of a fenzi.yaml, the log
// is a list, and the server is a script or an address.
import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { isIP } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterEach } from "vitest";
import { loadProject } from "../../src/compile.ts";
import { limitsOf, type CallLimits } from "../../src/enforce/door.ts";
import { pinsOf } from "../../src/enforce/pins.ts";
import type { CallRecord } from "../../src/enforce/record.ts";
import { policyOf } from "../../src/enforce/road.ts";
import { pathFacts } from "../../src/host/path-facts.ts";
import { sha256 } from "../../src/sha256.ts";
import {
  startGuard,
  type Guard,
  type GuardServer,
} from "../../src/guard/start-guard.ts";
import type { Pins } from "../../src/model/model.ts";
import { credentialsFor } from "../../src/upstream/credentials.ts";
import { Secret } from "../../src/vault/secret.ts";
import { testHost } from "../support/test-host.ts";
import { until } from "../gateway/until.ts";

export const TOKEN = "tok-51f6c7d2e8a94b03";

export interface OpenOptions {
  /** A server of its own: a script for Node. Absent: `stdio-server.mjs`. */
  readonly script?: string;
  /** Whole words instead of a script. */
  readonly argv?: readonly string[];
  /** Variables of the server. */
  readonly env?: Readonly<Record<string, string>>;
  /** An address instead of a program; it is sent the token. */
  readonly url?: string;
  /** What every name resolves to. */
  readonly address?: string;
  readonly tools?: string;
  readonly limits?: Partial<CallLimits>;
  readonly secrets?: readonly string[];
  readonly pins?: Pins;
  readonly log?: (record: CallRecord) => boolean;
}

export interface OpenGuard {
  readonly guard: Guard;
  readonly input: PassThrough;
  readonly output: PassThrough;
  readonly records: CallRecord[];
  /** What the agent has got, line by line, as JSON. */
  readonly answers: Answer[];
  /** What the agent has got, as text. */
  readonly text: () => string;
  /** Writes messages, a line each. */
  readonly say: (...messages: readonly unknown[]) => void;
  /** Waits for the answer with that id. */
  readonly answerTo: (id: unknown) => Promise<Answer>;
  /** What the server has received, a line each. */
  readonly received: () => readonly string[];
}

export interface Answer {
  readonly id?: unknown;
  readonly method?: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into it at any depth
  readonly result?: Readonly<Record<string, any>>;
  readonly error?: {
    readonly code: number;
    readonly message: string;
  };
}

const ends: (() => Promise<void>)[] = [];

/** To be called once in a file of tests. */
export const endGuards = (): void => {
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });
};

export const SERVER = join(import.meta.dirname, "stdio-server.mjs");

export async function openGuard(options: OpenOptions = {}): Promise<OpenGuard> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "fenzi-guard-")));
  const received = join(folder, "received");
  const input = new PassThrough();
  const output = new PassThrough();
  const records: CallRecord[] = [];
  let text = "";
  let read = 0;
  const answers: Answer[] = [];
  output.on("data", (chunk: Buffer) => {
    text += chunk.toString();
    for (
      let end = text.indexOf("\n", read);
      end >= 0;
      end = text.indexOf("\n", read)
    ) {
      answers.push(JSON.parse(text.slice(read, end)) as Answer);
      read = end + 1;
    }
  });
  const guard = await startGuard({
    server: serverOf(options, folder, received),
    input,
    output,
    agent: null,
    log(record) {
      if (options.log?.(record) === false) return false;
      records.push(record);
      return true;
    },
  });
  ends.push(async () => {
    output.resume();
    await guard.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    guard,
    input,
    output,
    records,
    answers,
    text: () => text,
    say: (...messages) =>
      void input.write(
        messages.map((each) => `${JSON.stringify(each)}\n`).join(""),
      ),
    async answerTo(id) {
      await until(() => answers.some((each) => each.id === id), 20_000);
      const [found = {}] = answers.filter((each) => each.id === id);
      return found;
    },
    received: () => {
      try {
        return readFileSync(received, "utf8").trimEnd().split("\n");
      } catch {
        return [];
      }
    },
  };
}

function serverOf(
  options: OpenOptions,
  folder: string,
  received: string,
): GuardServer {
  const host = testHost({
    project: {
      "fenzi.yaml": `version: 1
mcp:
  demo:
    ${options.url === undefined ? "command: [server]" : `url: ${options.url}\n    token: true`}
    tools: ${options.tools ?? "{ allow: [read_file, 'search_*'], deny: [search_admin] }"}
`,
    },
  });
  const { model, diagnostics } = loadProject(host);
  const [server] = model?.servers ?? [];
  if (model === null || server === undefined)
    throw new Error(JSON.stringify(diagnostics, null, 2));
  const common = {
    name: server.name,
    policy: policyOf(server, model),
    pins: {
      sha256,
      pins: pinsOf(
        model,
        new Map(options.pins === undefined ? [] : [["demo", options.pins]]),
        server.name,
      ),
    },
    limits: { ...limitsOf(server.limits), ...options.limits },
    facts: pathFacts(host),
  };
  const { transport } = server;
  const { address } = options;
  if (transport.kind === "stdio")
    return {
      ...common,
      secrets: options.secrets ?? [],
      behind: {
        kind: "local",
        plan: {
          argv: options.argv ?? [
            process.execPath,
            ...(options.script === undefined
              ? [SERVER]
              : ["-e", options.script]),
          ],
          env: { PATH: "/usr/bin:/bin", RECEIVED: received, ...options.env },
          cwd: folder,
        },
      },
    };
  const credentials = credentialsFor(transport, {}, new Secret("demo", TOKEN));
  if ("problems" in credentials) throw new Error("no credentials");
  return {
    ...common,
    secrets: credentials.secrets,
    behind: {
      kind: "remote",
      transport,
      credentials,
      ...(address === undefined
        ? {}
        : {
            resolve: (_name, _options, done) =>
              done(null, [{ address, family: isIP(address) }]),
          }),
    },
  };
}

export const call = (id: unknown, name = "read_file", args: unknown = {}) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name, arguments: args },
});

export const INITIALIZE = {
  jsonrpc: "2.0",
  id: "init",
  method: "initialize",
  params: {
    protocolVersion: "2025-11-25",
    capabilities: { roots: {}, sampling: {} },
    clientInfo: { name: "agent", version: "1" },
  },
};

/** The modern era's members of `_meta`. */
export const MODERN = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
  "io.modelcontextprotocol/clientInfo": { name: "agent", version: "1" },
};
