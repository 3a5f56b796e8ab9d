// Grok's `config.toml` and `requirements.toml`, as far as Fenzi writes them. Measured with the version below, whose own guide
// (`grok` unpacks it to `docs/user-guide` in its home) lists every key.
// https://docs.x.ai/build/overview

export const VERSION = "1.0.41";

export type GrokServer =
  | {
      readonly url: string;
      /** The variable whose value is sent as `Authorization: Bearer`, untouched. */
      readonly bearer_token_env_var?: string;
      readonly headers?: { readonly [name: string]: string };
    }
  | {
      readonly command: string;
      readonly args: readonly string[];
      readonly env?: { readonly [name: string]: string };
    };

export type ConfigFile = {
  readonly mcp_servers: { readonly [name: string]: GrokServer };
  /** Grok adds this key in its first session; with it the file stays as it was written. */
  readonly marketplace: { readonly default_skills_installs_purged: true };
};

/** One of the two: by name a server could be another one. */
export type AllowedServer =
  | { readonly server_url: string }
  | { readonly server_command: readonly string[] };

/** Every source of servers and rules is held to this file, also a trusted repository's and a subagent's own. */
export type RequirementsFile = {
  /** Without it Grok deletes the file at the start of a session. */
  readonly fail_closed: true;
  readonly allow_managed_mcp_servers_only: true;
  readonly allowed_mcp_servers: readonly AllowedServer[];
  /** A repository that is trusted in Grok's dialogue, the only way in, does not run its hooks. */
  readonly allow_managed_hooks_only: true;
  /** Servers that come with an account. */
  readonly managed_mcps: {
    readonly enabled: false;
    readonly gateway_tools_enabled: false;
  };
  /** Deny wins over ask, ask over allow, whatever file a rule stands in. */
  readonly permission: {
    readonly allow: readonly string[];
    readonly ask: readonly string[];
    readonly deny: readonly string[];
  };
};

/** Settings that hold servers, rules, trust, plugins (which bring servers along), or whole other configurations. */
export const RESERVED: readonly string[] = [
  "agent",
  "allowManagedHooksOnly",
  "allowManagedMcpServersOnly",
  "allow_managed_hooks_only",
  "allow_managed_mcp_servers_only",
  "allowedMcpServers",
  "allowed_mcp_servers",
  "auto_mode",
  "campaigns",
  "compat",
  "default_auto_mode",
  "deniedMcpServers",
  "denied_mcp_servers",
  "disabled_mcp_servers",
  "disabled_mcp_tools",
  "enableAllProjectMcpServers",
  "enable_all_project_mcp_servers",
  "folder_trust",
  "hooks",
  "managed_mcps",
  "marketplace",
  "mcp_servers",
  "permission",
  "plugins",
  "sandbox.auto_allow_bash",
  "ui.approval_mode",
  "ui.permission_mode",
  "ui.yolo",
  "version_overrides",
];

/**
 * What Grok reads in its home and in HOME, or runs from there, and does not make itself. Not in the list, because it does:
 * `trusted_folders.toml`, once a person says yes in its dialogue.
 */
export const READS: readonly string[] = [
  ".claude",
  "AGENT.md",
  "AGENTS.md",
  "Agents.md",
  "CLAUDE.local.md",
  "CLAUDE.md",
  "Claude.md",
  "agents",
  "commands",
  "hooks",
  "hooks-paths",
  "installed-plugins/registry.json",
  "lsp.json",
  "managed_config.toml",
  "personas",
  "plugins",
  "roles",
  "rules",
  "sandbox.toml",
  "settings.json",
  "skills",
  "trusted-hook-projects",
  "trusted-plugins",
  "workflows",
  ...[".agents", ".claude", ".claude.json", ".cursor", ".grok"].map(
    (name) => `home/${name}`,
  ),
];
