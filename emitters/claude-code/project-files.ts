// Claude Code's own files in a project: `.mcp.json` with the guards, and in `.claude/settings.json` the rules, the approval of
// these servers, and with `--only` the refusal of others. Whatever else stands there is the user's.
import type {
  OtherSources,
  ProjectContext,
  ProjectEmission,
} from "../../src/emit/emitter.ts";
import type { Delivered } from "../../src/model/delivered.ts";
import { permissions } from "./permissions.ts";
import { mcpFile } from "./servers.ts";

export function emitShared(
  servers: readonly Delivered[],
  { others }: ProjectContext,
): ProjectEmission {
  const { mcpServers } = mcpFile(servers);
  const rules = permissions(servers);
  const off = others.filter(({ file }) => file === ".mcp.json");
  const list = (at: readonly string[], items: readonly string[]) =>
    items.map((item) => ({ at, item }));
  return {
    files: [
      {
        format: "json",
        paths: [".mcp.json"],
        fresh: [],
        members: Object.entries(mcpServers).map(([name, entry]) => ({
          at: ["mcpServers", name],
          // Otherwise its tools are offered only through a search.
          value: { ...entry, alwaysLoad: true },
        })),
        items: [],
        ordered: [],
        servers: ["mcpServers"],
      },
      {
        format: "json",
        paths: [".claude/settings.json"],
        fresh: [],
        members: [],
        items: [
          ...list(["permissions", "allow"], rules.allow),
          ...list(["permissions", "ask"], rules.ask),
          ...list(["permissions", "deny"], rules.deny),
          ...list(
            ["enabledMcpjsonServers"],
            servers.map(({ name }) => name),
          ),
          ...list(
            ["disabledMcpjsonServers"],
            off.map(({ name }) => name),
          ),
        ],
        ordered: [],
        servers: null,
      },
    ],
    stillLoaded: others.filter((other) => !off.includes(other)),
  };
}

const home = {
  kind: "home",
  variable: "CLAUDE_CONFIG_DIR",
} as const;
const settings = {
  format: "json",
  keys: [["disabledMcpjsonServers"]],
} as const;

/** Same name: managed, then local, then project (the nearest first), then user. */
export const others: OtherSources = {
  sources: [
    {
      place: { ...home, folder: "" },
      names: [".claude.json"],
      format: "json",
      keys: [["mcpServers"]],
    },
    {
      place: { kind: "project", upTo: "top" },
      names: [".mcp.json"],
      format: "json",
      keys: [["mcpServers"]],
    },
    {
      place: { ...home, folder: "" },
      names: [".claude.json"],
      format: "json",
      keys: [["projects", null, "mcpServers"]],
    },
    {
      place: { kind: "system" },
      names: ["/etc/claude-code/managed-mcp.json"],
      format: "json",
      keys: [["mcpServers"]],
    },
  ],
  heedsEnabled: false,
  sameName: "replaces",
  off: [
    {
      of: ".mcp.json",
      sources: [
        {
          place: { ...home, folder: ".claude" },
          names: ["settings.json"],
          ...settings,
        },
        {
          place: { kind: "project", upTo: "project" },
          names: [".claude/settings.json", ".claude/settings.local.json"],
          ...settings,
        },
        {
          place: { ...home, folder: "" },
          names: [".claude.json"],
          format: "json",
          keys: [["projects", null, "disabledMcpjsonServers"]],
        },
      ],
    },
    {
      of: null,
      sources: [
        {
          place: { ...home, folder: "" },
          names: [".claude.json"],
          format: "json",
          keys: [["projects", null, "disabledMcpServers"]],
        },
      ],
    },
  ],
};
