// OpenCode's configuration, as far as Fenzi writes it. Measured with the version below.
// https://opencode.ai/docs/config, …/mcp-servers and …/permissions

export const VERSION = "1.18.33";

/** OpenCode rewrites a file without it. */
export const SCHEMA = "https://opencode.ai/config.json";

export type OpencodeServer =
  | {
      readonly type: "remote";
      readonly url: string;
      /** Otherwise a 401 starts a sign-in in the browser. */
      readonly oauth: false;
      readonly headers?: { readonly [name: string]: string };
    }
  | {
      readonly type: "local";
      readonly command: readonly string[];
      readonly cwd?: string;
      readonly environment?: { readonly [name: string]: string };
    };

export type Action = "allow" | "ask" | "deny";

export type ConfigFile = {
  readonly $schema: string;
  readonly mcp: { readonly [name: string]: OpencodeServer };
  /** In order: the last rule that matches wins. */
  readonly permission: { readonly [tool: string]: Action };
};

/** Settings that hold servers or rules; `agent` and `mode` hold rules for each agent. */
export const RESERVED: readonly string[] = [
  "agent",
  "mcp",
  "mode",
  "permission",
  "tools",
];

/**
 * What OpenCode reads in its own configuration folder and home, or runs from there, and does not make itself:
 * `.gitignore` is the one thing it writes into the former.
 */
export const READS: readonly string[] = [
  ...[
    "AGENTS.md",
    "agent",
    "agents",
    "command",
    "commands",
    "config",
    "config.json",
    "mode",
    "modes",
    "opencode.json",
    "opencode.jsonc",
    "plugin",
    "plugins",
    "skill",
    "skills",
    "tool",
    "tools",
  ].map((name) => `home/.config/opencode/${name}`),
  "home/.opencode",
  "home/.claude",
  "home/.agents",
];
