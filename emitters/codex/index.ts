// Codex: one `config.toml` in a home of its own, in which the project's own layer is untrusted.
import type { Emitter } from "../../src/emit/emitter.ts";
import { layUnder } from "../../src/format/lay-under.ts";
import { printToml } from "../../src/format/toml.ts";
import { neededVariables } from "../../src/match/needed-variables.ts";
import { modelKeys } from "./model-key.ts";
import { mcpServers, serverProblems } from "./servers.ts";
import { emitShared, others } from "./project-files.ts";
import {
  FEATURES,
  READS,
  RESERVED,
  VERSION,
  type ConfigFile,
} from "./shape.ts";
import { reach } from "./tools.ts";

export const codex: Emitter = {
  target: "codex",
  version: VERSION,
  support: {
    url: "native",
    headers: "native",
    token: "native",
    command: "native",
    env: "native",
    cwd: "native",
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
  program: "codex",
  condition: "read once you trust this folder in Codex",
  emitShared,

  emit(servers, { folder, project, repository, settings }) {
    const untrusted = { trust_level: "untrusted" } as const;
    const config: ConfigFile = {
      features: FEATURES,
      mcp_servers: mcpServers(servers, project),
      projects: { [project]: untrusted, [repository]: untrusted },
    };
    return {
      files: [
        {
          path: "config.toml",
          text: printToml(
            layUnder(settings, config),
            "Written by `fenzi compile`, which writes it anew each time.",
          ),
        },
      ],
      folders: [],
      launch: {
        argv: ["codex"],
        env: { CODEX_HOME: folder },
        needs: neededVariables(servers, modelKeys(settings)),
        cwd: project,
      },
      diagnostics: serverProblems(servers, "codex"),
    };
  },
};
