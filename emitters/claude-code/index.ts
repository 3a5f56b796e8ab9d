// Claude Code: `mcp.json` with the servers, `settings.json` with the rules, and a launch line that reads nothing else.
import type { Emitter } from "../../src/emit/emitter.ts";
import { printJson } from "../../src/format/json.ts";
import { layUnder } from "../../src/format/lay-under.ts";
import { neededVariables } from "../../src/match/needed-variables.ts";
import { permissions, reach } from "./permissions.ts";
import { mcpFile, serverProblems } from "./servers.ts";
import { emitShared, others } from "./project-files.ts";
import { RESERVED, VERSION } from "./shape.ts";

export const claudeCode: Emitter = {
  target: "claude-code",
  version: VERSION,
  support: {
    url: "native",
    headers: "native",
    token: "native",
    command: "native",
    env: "native",
    cwd: "unsupported",
    isolation: "enforced",
    "tools.allow": "native",
    "tools.ask": "native",
    "tools.deny": "native",
    "limits.call": "enforced",
    "limits.request": "enforced",
    "limits.response": "enforced",
    "limits.rate": "enforced",
    "paths.read": "enforced",
    "paths.write": "enforced",
    "hosts.allow": "enforced",
    "hosts.ports": "enforced",
    private: "enforced",
    "secrets.refuse": "enforced",
    "secrets.redact": "enforced",
  },
  filter: reach,
  reserved: RESERVED,
  // With this launch line Claude Code reads nothing in the compiled folder but the two files that it names: settings,
  // instructions, agents, skills, commands and plugins under `home` were all put there, and none had an effect.
  reads: [],

  others,
  program: "claude",
  condition: "approved once you trust this folder in Claude Code",
  emitShared,

  emit(servers, { folder, project, settings }) {
    const rules = { permissions: permissions(servers) };
    return {
      files: [
        { path: "mcp.json", text: printJson(mcpFile(servers)) },
        { path: "settings.json", text: printJson(layUnder(settings, rules)) },
      ],
      folders: ["home"],
      launch: {
        // The flag that takes one value stands last, so that a prompt can follow it.
        argv: [
          "claude",
          "--strict-mcp-config",
          "--mcp-config",
          `${folder}/mcp.json`,
          "--settings",
          `${folder}/settings.json`,
          "--setting-sources=",
        ],
        env: {
          // A local server gets PATH, HOME and what stands in its `env`, not the agent's key and tokens.
          CLAUDE_CODE_MCP_ALLOWLIST_ENV: "1",
          CLAUDE_CONFIG_DIR: `${folder}/home`,
          // Otherwise MCP tools are offered only through a search.
          ENABLE_TOOL_SEARCH: "false",
        },
        needs: neededVariables(servers, ["ANTHROPIC_API_KEY"]),
        cwd: project,
      },
      diagnostics: serverProblems(servers, "claude-code", project),
    };
  },
};
