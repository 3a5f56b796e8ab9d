// What each agent does with a tool of a server, read from the files that it was given: a second, small reading of its own
// rules as they were measured with the real programs.
import { parse as parseToml } from "@iarna/toml";

/**
 * allow: called without a question. ask: a person is asked, or a run without one refuses. refuse: not offered, or not
 * called unless a person starts to allow it on their own.
 */
export type Verdict = "allow" | "ask" | "refuse";

type Files = ReadonlyMap<string, string>;
type Judge = (files: Files) => (server: string, tool: string) => Verdict;

const text = (files: Files, name: string): string => {
  const found = files.get(name);
  if (found === undefined) throw new Error(`no file ${name}`);
  return found;
};

/** A pattern with `*` for any run of characters; case counts. */
const glob = (pattern: string): RegExp =>
  new RegExp(
    `^${pattern
      .split("*")
      .map((part) => part.replace(/[\\^$.+?()[\]{}|/-]/g, "\\$&"))
      .join("[^]*")}$`,
  );

/** Claude Code and OpenCode give every UTF-16 unit that they do not keep in a name as `_`. */
const spelled = (tool: string): string => tool.replace(/[^A-Za-z0-9_-]/g, "_");

/** deny wins over ask, ask over allow; a rule without a tool is for all of the server. */
const claudeCode: Judge = (files) => {
  const { mcpServers } = JSON.parse(text(files, "mcp.json"));
  const { permissions } = JSON.parse(text(files, "settings.json"));
  const matcher = (rules: readonly string[]) => {
    const patterns = rules.map(glob);
    return (server: string, name: string) =>
      rules.includes(`mcp__${server}`) || patterns.some((p) => p.test(name));
  };
  const [deny, ask, allow] = [
    matcher(permissions.deny),
    matcher(permissions.ask),
    matcher(permissions.allow),
  ];
  return (server, tool) => {
    const name = `mcp__${server}__${spelled(tool)}`;
    if (mcpServers[server] === undefined || deny(server, name)) return "refuse";
    if (ask(server, name)) return "ask";
    return allow(server, name) ? "allow" : "refuse";
  };
};

/** The last rule that matches wins; without one it is allowed. */
const opencode: Judge = (files) => {
  const { mcp, permission } = JSON.parse(text(files, "opencode.json"));
  const rules = Object.entries(permission)
    .map(([rule, action]) => ({ pattern: glob(rule), action }))
    .reverse();
  return (server, tool) => {
    const name = `${server}_${spelled(tool)}`;
    if (mcp[server] === undefined) return "refuse";
    const last = rules.find(({ pattern }) => pattern.test(name))?.action;
    return last === "deny" ? "refuse" : last === "ask" ? "ask" : "allow";
  };
};

interface CodexServer {
  readonly enabled_tools?: readonly string[];
  readonly disabled_tools?: readonly string[];
  readonly default_tools_approval_mode?: string;
  readonly tools?: Readonly<Record<string, { approval_mode?: string }>>;
}

/** `enabled_tools` and `disabled_tools` are exact names in the server's spelling; a tool's mode wins over the server's. */
const codex: Judge = (files) => {
  const parsed = parseToml(text(files, "config.toml"));
  const servers = parsed["mcp_servers"] as unknown as
    Record<string, CodexServer> | undefined;
  return (server, tool) => {
    const entry = servers?.[server];
    if (
      entry === undefined ||
      entry.enabled_tools?.includes(tool) === false ||
      entry.disabled_tools?.includes(tool) === true
    )
      return "refuse";
    const own =
      entry.tools !== undefined && Object.hasOwn(entry.tools, tool)
        ? entry.tools[tool]?.approval_mode
        : undefined;
    return (own ?? entry.default_tools_approval_mode) === "approve"
      ? "allow"
      : "ask";
  };
};

interface GrokRules {
  readonly allow: readonly string[];
  readonly ask: readonly string[];
  readonly deny: readonly string[];
}

/** deny wins over ask, ask over allow. Names with other characters, `__` or a `_` in front are never offered. */
const grok: Judge = (files) => {
  const config = parseToml(text(files, "config.toml"));
  const servers = config["mcp_servers"] as unknown as
    Record<string, unknown> | undefined;
  const requirements = parseToml(text(files, "requirements.toml"));
  const rules = requirements["permission"] as unknown as GrokRules;
  const matcher = (list: readonly string[]) => {
    const patterns = list.map((rule) =>
      grokGlob(/^MCPTool\((.*)\)$/.exec(rule)?.[1] ?? rule),
    );
    return (name: string) => patterns.some((p) => p.test(name));
  };
  const [deny, ask, allow] = [
    matcher(rules.deny),
    matcher(rules.ask),
    matcher(rules.allow),
  ];
  return (server, tool) => {
    const name = `${server}__${tool}`;
    if (
      servers?.[server] === undefined ||
      !/^(?!_)(?!.*__)[A-Za-z0-9_-]+$/.test(tool) ||
      deny(name)
    )
      return "refuse";
    if (ask(name)) return "ask";
    return allow(name) ? "allow" : "refuse";
  };
};

/**
 * `*` is any run, `?` one character, `[…]` and `[!…]` one of a class. Case does not count, except in a range with a bound
 * that is no letter.
 */
function grokGlob(pattern: string): RegExp {
  const either = (c: string) =>
    /[A-Za-z]/.test(c)
      ? `${c.toLowerCase()}${c.toUpperCase()}`
      : c.replace(/[\^\]\\[-]/g, "\\$&");
  const regex = pattern.replace(
    /\[(!?)([^\]]*\[?)\]|[^]/g,
    (part: string, not?: string, members?: string) => {
      if (part === "*") return "[^]*";
      if (part === "?") return "[^]";
      if (members === undefined) return `[${either(part)}]`;
      const range = /^(.)-(.)$/.exec(members);
      const inside =
        range === null
          ? [...members].map(either).join("")
          : `\\${range[1]}-\\${range[2]}`.replace(/\\([A-Za-z`@{])/g, "$1");
      return `[${not === "!" ? "^" : ""}${inside}]`;
    },
  );
  return new RegExp(`^${regex}$`);
}

/** By agent. */
export const verdicts: Readonly<Record<string, Judge>> = {
  "claude-code": claudeCode,
  codex,
  opencode,
  grok,
};
