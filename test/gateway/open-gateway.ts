// A real gateway in front of one server, for tests: the rules come from the text of a fenzi.yaml, the log is a list.
import { isIP } from "node:net";
import type { CallRecord } from "../../src/enforce/record.ts";
import type { Bounds } from "../../src/gateway/bounds.ts";
import type { CallLimits } from "../../src/enforce/door.ts";
import { modelServers } from "../../src/gateway/model-servers.ts";
import { startGateway, type Gateway } from "../../src/gateway/start-gateway.ts";
import { loadProject } from "../../src/compile.ts";
import type { Pins } from "../../src/model/model.ts";
import { pathFacts } from "../../src/host/path-facts.ts";
import { Secret } from "../../src/vault/secret.ts";
import { testHost } from "../support/test-host.ts";

export const TOKEN = "tok-51f6c7d2e8a94b03";

export interface OpenOptions {
  /** Address of the server. */
  readonly url: string;
  /** What follows `tools:` in fenzi.yaml. */
  readonly tools?: string;
  /** More lines of the server's entry, indented by four. */
  readonly more?: string;
  /** The server is the machine's. */
  readonly machine?: boolean;
  readonly token?: string | null;
  /** False: the token that the file asks for is not stored. */
  readonly ready?: boolean;
  readonly pins?: Pins;
  readonly env?: Readonly<Record<string, string>>;
  readonly agents?: readonly string[];
  readonly limits?: Partial<CallLimits>;
  readonly bounds?: Partial<Bounds>;
  /** What every name resolves to. */
  readonly address?: string;
  /** Called for each record; false stands for a log that cannot be written. */
  readonly log?: (record: CallRecord) => boolean;
  /** Gets what tells that a line was written with others; in the next turn when it is absent. */
  readonly written?: (go: () => void) => void;
}

export interface OpenGateway {
  readonly gateway: Gateway;
  readonly url: string;
  readonly records: (CallRecord & { readonly agent: string | null })[];
}

export async function openGateway(options: OpenOptions): Promise<OpenGateway> {
  const text = `version: 1
mcp:
  demo:
    url: ${options.url}
    tools: ${options.tools ?? "{ allow: [read_file, 'search_*'], deny: [search_admin] }"}
${options.more ?? ""}`;
  const host = testHost(
    options.machine === true
      ? { project: {}, machine: text }
      : { project: { "fenzi.yaml": text } },
  );
  const { model, diagnostics } = loadProject(host);
  if (model === null) throw new Error(JSON.stringify(diagnostics, null, 2));
  const { address } = options;
  const records: OpenGateway["records"] = [];
  const agents = options.agents ?? ["claude-code"];
  const token =
    options.token === null ? null : new Secret("demo", options.token ?? TOKEN);
  const { servers, problems } = modelServers(
    model,
    new Map(token === null || options.ready === false ? [] : [["demo", token]]),
    options.env ?? {},
    pathFacts(host),
    new Map(options.pins === undefined ? [] : [["demo", options.pins]]),
  );
  if (problems.length > 0) throw new Error(JSON.stringify(problems));
  const gateway = await startGateway({
    servers: servers.map((server) => ({
      ...server,
      limits: { ...server.limits, ...options.limits },
    })),
    agents,
    listen: { host: "127.0.0.1", port: 0 },
    log: (record, more, later) => {
      const written = options.log?.(record) !== false;
      if (written) records.push({ ...record, agent: more.agent });
      if (later === undefined) return written;
      (options.written ?? setImmediate)(() => later(written));
      return null;
    },
    ...(address === undefined
      ? {}
      : {
          resolve: (_name, _options, done) =>
            done(null, [{ address, family: isIP(address) }]),
        }),
    ...(options.bounds === undefined ? {} : { bounds: options.bounds }),
  });
  return { gateway, records, url: gateway.url(agents[0] ?? "", "demo") ?? "" };
}
