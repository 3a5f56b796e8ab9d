// Claude Code's own files, as far as Fenzi writes them. Measured with the version below.
// https://docs.claude.com/en/docs/claude-code/mcp and …/settings

export const VERSION = "2.1.332";

export type ClaudeServer =
  | {
      readonly type: "http";
      readonly url: string;
      readonly headers?: { readonly [name: string]: string };
    }
  | {
      readonly type: "stdio";
      readonly command: string;
      readonly args: readonly string[];
      readonly env?: { readonly [name: string]: string };
    };

/** What `--mcp-config` takes. */
export type McpFile = {
  readonly mcpServers: { readonly [name: string]: ClaudeServer };
};

/** The part of what `--settings` takes that is ours. Deny wins over ask, ask over allow. */
export type SettingsFile = {
  readonly permissions: {
    readonly allow: readonly string[];
    readonly ask: readonly string[];
    readonly deny: readonly string[];
  };
};

/**
 * Settings that hold servers, rules, trust, or plugins (which bring servers along).
 * `hooks` stay: in the machine's file they are the owner's own.
 */
export const RESERVED: readonly string[] = [
  "additionalMarketplaces",
  "allowAllClaudeAiMcps",
  "allowClaudeInChromeWithManagedMcp",
  "allowManagedMcpServersOnly",
  "allowManagedPermissionRulesOnly",
  "allowedChannelPlugins",
  "allowedMcpServers",
  "appendPlugins",
  "autoMode",
  "channelsEnabled",
  "deniedMcpServers",
  "disabledMcpjsonServers",
  "enableAllProjectMcpServers",
  "enabledMcpjsonServers",
  "enabledPlugins",
  "extraKnownMarketplaces",
  "managedMcpServers",
  "mcpServers",
  "permissions",
  "prependPlugins",
  "remoteTools",
  "skipAutoPermissionPrompt",
  "skipDangerousModePermissionPrompt",
  "syncClaudeAiPlugins",
];
