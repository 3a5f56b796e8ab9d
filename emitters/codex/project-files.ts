// Codex's own file in a project, `.codex/config.toml`, which it reads once a person trusts the folder. Its tables are laid over
// the user's key by key, so another server cannot be switched off here: without the user's table its entry would have no
// transport, and Codex would refuse its whole configuration.
import type {
  OtherSources,
  ProjectContext,
  ProjectEmission,
} from "../../src/emit/emitter.ts";
import type { Delivered } from "../../src/model/delivered.ts";
import { mcpServers } from "./servers.ts";

/**
 * What `fenzi guard` reads of its environment. Codex hands on nothing but HOME, LANG, PATH and USER: without these the
 * guard would look for its files and for the keychain elsewhere.
 */
const GUARD_VARIABLES = [
  "DBUS_SESSION_BUS_ADDRESS",
  "FENZI_CONFIG_DIR",
  "FENZI_STATE_DIR",
  "NODE_EXTRA_CA_CERTS",
  "XDG_CONFIG_HOME",
  "XDG_RUNTIME_DIR",
  "XDG_STATE_HOME",
];
const STARTUP_SECONDS = 60;

export function emitShared(
  servers: readonly Delivered[],
  { project, others }: ProjectContext,
): ProjectEmission {
  const entries = mcpServers(servers, project);
  return {
    files: [
      {
        format: "toml",
        paths: [".codex/config.toml"],
        tables: {
          mcp_servers: Object.fromEntries(
            servers.map(({ name, guard }) => [
              name,
              {
                ...entries[name],
                env_vars: [
                  ...GUARD_VARIABLES,
                  ...(guard?.needs ?? []),
                  ...(guard?.token ?? []),
                ].sort(),
                startup_timeout_sec: STARTUP_SECONDS,
                tool_timeout_sec: Math.ceil((guard?.wait ?? 0) / 1000),
              },
            ]),
          ),
        },
        yielding: [],
      },
    ],
    stillLoaded: others,
  };
}

const toml = { format: "toml", keys: [["mcp_servers"]] } as const;

export const others: OtherSources = {
  sources: [
    {
      place: { kind: "system" },
      names: ["/etc/codex/config.toml"],
      ...toml,
    },
    {
      place: { kind: "home", variable: "CODEX_HOME", folder: ".codex" },
      names: ["config.toml"],
      ...toml,
    },
    {
      place: { kind: "project", upTo: "repository" },
      names: [".codex/config.toml"],
      ...toml,
    },
    {
      place: { kind: "system" },
      names: ["/etc/codex/managed_config.toml"],
      ...toml,
    },
  ],
  heedsEnabled: true,
  sameName: "fails",
  off: [],
};
