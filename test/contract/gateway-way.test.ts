// What holds for every emitter when agents are sent to a gateway: nothing of a remote server but the gateway's address
// reaches them, what is allowed is not hidden by their own filter, and local servers are as without a gateway.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { emitters } from "../../emitters/index.ts";
import { deliver, type Places, type Way } from "../../src/deliver/deliver.ts";
import {
  emitFor,
  notEnforced,
  type EmittedAgent,
} from "../../src/emit/emit-all.ts";
import type { Context, Emitter } from "../../src/emit/emitter.ts";
import type { Model } from "../../src/model/model.ts";
import { decide, preparePolicy } from "../../src/policy/decide.ts";
import { verdicts } from "../support/agent-verdict.ts";
import {
  makeDocuments,
  mergeDocuments,
  readDocuments,
} from "../support/merge-data.ts";
import {
  layersAndCalls,
  rulesOf,
  type FileData,
  type Layered,
} from "../support/random-layers.ts";

const RUNS = Number(process.env["LAW_RUNS"] ?? 500);

const places: Places = {
  project: "/work",
  home: (file) => file.slice(0, file.lastIndexOf("/")),
  own: (server) => `/state/servers/${server}`,
};
const context: Context = {
  folder: "/out/agent",
  project: "/project",
  repository: "/project",
  settings: {},
};
const GATEWAY: Way = {
  kind: "gateway",
  url: (server) => `http://127.0.0.1:40123/KEY/${server}`,
};

function emitted(emitter: Emitter, model: Model, way: Way): EmittedAgent {
  return emitFor(
    emitter,
    deliver(model, emitter.filter, places, way),
    context,
    [],
    { allowUnenforced: false },
  );
}

const textOf = ({ emission }: EmittedAgent): string =>
  JSON.stringify([emission.files, emission.folders, emission.launch]);

/** A remote server with all that only the gateway may know, and a local one. */
const SECRETIVE = {
  version: 1,
  mcp: {
    notes: {
      url: "https://notes.example/mcp",
      token: { header: "X-Api-Key" },
      headers: { "X-Team": "core-${TEAM}" },
      tools: { allow: ["read", "find_*"], ask: ["find_all"], deny: ["*_x"] },
      limits: { call: "30s", request: "1MiB", response: "2MiB" },
    },
    files: { command: ["npx", "files"], env: { MODE: "ro" } },
  },
} as unknown as FileData;

function modelOf(layers: Layered, read = false): Model {
  const documents = read ? readDocuments(layers) : makeDocuments(layers);
  const model = mergeDocuments(documents);
  if (model === null) throw new Error("not merged");
  return model;
}

describe.each(emitters.map((e) => [e.target, e] as const))(
  "%s",
  (_, emitter) => {
    const model = modelOf([{ layer: "project", data: SECRETIVE }], true);
    const behind = emitted(emitter, model, GATEWAY);

    test("is given the gateway's address and nothing else of a remote server", () => {
      const text = textOf(behind);
      expect(text).toContain("http://127.0.0.1:40123/KEY/notes");
      for (const own of [
        "notes.example",
        "X-Team",
        "core-",
        "X-Api-Key",
        "FENZI_MCP_",
      ])
        expect(text).not.toContain(own);
      expect(behind.emission.launch.needs).not.toContain("FENZI_MCP_NOTES");
    });

    test("is told of no rule that nobody holds: the gateway does", () => {
      expect(notEnforced([behind])).toEqual([]);
      const rules = behind.diagnostics.filter(
        ({ code }) => code === "deliver/tools-left-out",
      );
      expect(rules).toEqual([]);
    });

    test("has local servers as without a gateway", () => {
      const local = (way: Way) =>
        deliver(model, emitter.filter, places, way).filter(
          ({ transport }) => transport.kind === "stdio",
        );
      expect(local(GATEWAY)).toEqual(local({ kind: "direct" }));
    });

    test("hides no tool of a remote server that may be called", () => {
      const judge = verdicts[emitter.target];
      let seen = 0;
      fc.assert(
        fc.property(layersAndCalls, ({ layers, calls }) => {
          const plain = plainly(layers);
          const model = modelOf(plain);
          const { emission } = emitted(emitter, model, GATEWAY);
          const verdictOf = judge?.(
            new Map(emission.files.map(({ path, text }) => [path, text])),
          );
          for (const server of model.servers) {
            const { name, transport } = server;
            const policy = preparePolicy(server, model);
            for (const tool of [...rulesOf(plain), ...calls.map(spelt)]) {
              if (transport.kind !== "http" || tool.includes("*")) continue;
              if (decide(policy, { tool }).effect !== "allow") continue;
              seen++;
              expect(verdictOf?.(name, tool), `${tool} of ${name}`).not.toBe(
                "refuse",
              );
            }
          }
        }),
        { numRuns: RUNS },
      );
      expect(seen).toBeGreaterThan(RUNS / 10);
    });
  },
);

/** Letters that no agent maps to others. */
const spelt = (name: string): string =>
  name.toLowerCase().replace(/[^a-z_*]/g, "x");

const plainly = (layers: Layered): Layered =>
  JSON.parse(
    JSON.stringify(layers, (key, value: unknown) =>
      typeof value === "string" && /^\d+$/.test(key) ? spelt(value) : value,
    ),
  );
