// Grok's own file in a project, `.grok/config.toml`, which it reads once a person trusts the folder. A table there replaces one
// of the same name in any other file, so with `--only` a guard that is switched off stands in for every other server.
import type {
  OtherSources,
  ProjectContext,
  ProjectEmission,
} from "../../src/emit/emitter.ts";
import { guardWords } from "../../src/match/guard-entry.ts";
import type { Delivered } from "../../src/model/delivered.ts";
import { guardedPermission } from "./rules.ts";
import { mcpServers } from "./servers.ts";

const STARTUP_SECONDS = 60;

export function emitShared(
  servers: readonly Delivered[],
  { others }: ProjectContext,
): ProjectEmission {
  const entries = mcpServers(servers, []);
  const off = others.filter(({ inOurFile }) => !inOurFile);
  return {
    files: [
      {
        format: "toml",
        paths: [".grok/config.toml"],
        tables: {
          mcp_servers: {
            ...Object.fromEntries(
              servers.map(({ name, guard }) => [
                name,
                {
                  ...entries[name],
                  startup_timeout_sec: STARTUP_SECONDS,
                  tool_timeout_sec: Math.ceil((guard?.wait ?? 0) / 1000),
                },
              ]),
            ),
            ...Object.fromEntries(off.map(({ name }) => [name, stub(name)])),
          },
          permission: servers.length === 0 ? {} : guardedPermission(servers),
        },
        yielding: ["permission"],
      },
    ],
    stillLoaded: others.filter((other) => !off.includes(other)),
  };
}

function stub(name: string) {
  const [command, ...args] = guardWords(name);
  return { command, args, enabled: false };
}

const json = { format: "json", keys: [["mcpServers"]] } as const;
const toml = { format: "toml", keys: [["mcp_servers"]] } as const;
const home = { kind: "home", variable: null, folder: "" } as const;

export const others: OtherSources = {
  sources: [
    {
      place: { kind: "project", upTo: "repository" },
      names: [".mcp.json"],
      ...json,
    },
    {
      place: { kind: "project", upTo: "project" },
      names: [".cursor/mcp.json"],
      ...json,
    },
    { place: home, names: [".cursor/mcp.json", ".claude.json"], ...json },
    {
      place: { kind: "system" },
      names: ["/etc/grok/requirements.toml"],
      ...toml,
    },
    {
      place: { kind: "home", variable: "GROK_HOME", folder: ".grok" },
      names: ["config.toml"],
      ...toml,
    },
    {
      place: { kind: "project", upTo: "repository" },
      names: [".grok/config.toml"],
      ...toml,
    },
  ],
  heedsEnabled: true,
  sameName: "replaces",
  off: [],
};
