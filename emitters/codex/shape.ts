// Codex's `config.toml`, as far as Fenzi writes it. Measured with the version below.
// https://developers.openai.com/codex/config-reference

export const VERSION = "0.171.0";

/** A wrong type in one of these fails the whole file. */
export type CodexServer = CodexTransport & CodexTools;

type CodexTransport =
  | {
      readonly url: string;
      /** The variable whose value is sent as `Authorization: Bearer`. */
      readonly bearer_token_env_var?: string;
      readonly http_headers?: { readonly [name: string]: string };
      /** Header to variable: the whole value comes from there. */
      readonly env_http_headers?: { readonly [name: string]: string };
    }
  | {
      readonly command: string;
      readonly args: readonly string[];
      readonly cwd?: string;
      readonly env?: { readonly [name: string]: string };
      /** Variables that the server gets from Codex's own environment under the same name. */
      readonly env_vars?: readonly string[];
    };

export type CodexTools = {
  /** Codex waits for the server before the first turn, and fails when it does not start. */
  readonly required: true;
  readonly default_tools_approval_mode: "approve";
  /** Names as the server says them; an empty list is no tool. */
  readonly enabled_tools?: readonly string[];
  readonly disabled_tools?: readonly string[];
  readonly tools?: {
    readonly [tool: string]: { readonly approval_mode: "prompt" };
  };
};

export type ConfigFile = {
  readonly features: { readonly [name: string]: false };
  readonly mcp_servers: { readonly [name: string]: CodexServer };
  readonly projects: {
    readonly [folder: string]: { readonly trust_level: "untrusted" };
  };
};

/**
 * What is switched off. `apps` and `plugins` bring servers along. With `skill_mcp_dependency_install` a skill of an
 * untrusted repository had its own server written into this file and started. With `daemon_auto_start` a background
 * process outlives the session and goes on with the file as it was.
 */
export const FEATURES: ConfigFile["features"] = {
  apps: false,
  daemon_auto_start: false,
  plugins: false,
  skill_mcp_dependency_install: false,
};

/** Settings that hold servers, approval, trust, or whole other configurations. */
export const RESERVED: readonly string[] = [
  "agents",
  "approval_policy",
  "approvals_reviewer",
  "apps",
  "auto_review",
  "debug",
  "default_permissions",
  "experimental_thread_config_endpoint",
  ...Object.keys(FEATURES).map((name) => `features.${name}`),
  "marketplaces",
  "mcp_enterprise_managed_auth",
  "mcp_servers",
  "orchestrator",
  "permissions",
  "plugins",
  "profile",
  "profiles",
  "projects",
  "sandbox_mode",
  "tool_suggest",
];

/**
 * What Codex reads in its home, or runs from there, and does not make itself. Not in the list, because it does: `skills`,
 * and `rules` once a person lets it remember a command.
 */
export const READS: readonly string[] = [
  ".claude-plugin",
  ".codex-plugin",
  ".cursor-plugin",
  ".env",
  "AGENTS.md",
  "AGENTS.override.md",
  "agents",
  "environments.toml",
  "hooks.json",
  "plugins",
  "prompts",
];
