// Grok: `config.toml` with the servers, `requirements.toml` with what every source of servers and rules is held to, and a home
// of its own.
import type { Emitter } from "../../src/emit/emitter.ts";
import { layUnder } from "../../src/format/lay-under.ts";
import { printToml } from "../../src/format/toml.ts";
import { neededVariables } from "../../src/match/needed-variables.ts";
import { allowedServers } from "./allowed-servers.ts";
import { modelKeys } from "./model-key.ts";
import { serverProblems } from "./problems.ts";
import { permission, reach, ruleProblems } from "./rules.ts";
import { mcpServers } from "./servers.ts";
import { emitShared, others } from "./project-files.ts";
import {
  READS,
  RESERVED,
  VERSION,
  type ConfigFile,
  type RequirementsFile,
} from "./shape.ts";

const HEADING = "Written by `fenzi compile`, which writes it anew each time.";

export const grok: Emitter = {
  target: "grok",
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
  reads: READS,

  others,
  program: "grok",
  condition: "read once you trust this folder in Grok",
  emitShared,

  emit(servers, { folder, project, settings }) {
    const keys = modelKeys(settings);
    const config: ConfigFile = {
      marketplace: { default_skills_installs_purged: true },
      mcp_servers: mcpServers(servers, keys),
    };
    const requirements: RequirementsFile = {
      fail_closed: true,
      allow_managed_hooks_only: true,
      allow_managed_mcp_servers_only: true,
      allowed_mcp_servers: allowedServers(servers),
      managed_mcps: { enabled: false, gateway_tools_enabled: false },
      permission: permission(servers),
    };
    const env = {
      GROK_CLAUDE_MCPS_ENABLED: "false",
      GROK_CURSOR_MCPS_ENABLED: "false",
      GROK_FOLDER_TRUST: "1",
      GROK_HOME: folder,
      HOME: `${folder}/home`,
    };
    return {
      files: [
        {
          path: "config.toml",
          text: printToml(layUnder(settings, config), HEADING),
        },
        { path: "requirements.toml", text: printToml(requirements, HEADING) },
      ],
      folders: ["home"],
      launch: {
        argv: ["grok"],
        env,
        needs: neededVariables(servers, keys),
        cwd: project,
      },
      diagnostics: [
        ...serverProblems(servers, {
          agent: "grok",
          project,
        }),
        ...ruleProblems(servers, "grok"),
      ],
    };
  },
};
