// OpenCode: one `opencode.json`, and a launch line with a home of its own, because OpenCode merges every configuration that
// it finds and nothing takes a server out again.
import type { Emitter } from "../../src/emit/emitter.ts";
import { printJson } from "../../src/format/json.ts";
import { layUnder } from "../../src/format/lay-under.ts";
import { neededVariables } from "../../src/match/needed-variables.ts";
import { environment } from "./launch.ts";
import { modelKeys } from "./model-key.ts";
import { permission, reach } from "./permission.ts";
import { mcp, serverProblems } from "./servers.ts";
import { emitShared, others } from "./project-files.ts";
import { READS, RESERVED, SCHEMA, VERSION, type ConfigFile } from "./shape.ts";
import { markSettings, quote, variablesOf } from "./substitution.ts";

export const opencode: Emitter = {
  target: "opencode",
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
  program: "opencode",
  condition: null,
  emitShared,

  emit(servers, { folder, project, settings }) {
    const config: ConfigFile = {
      $schema: SCHEMA,
      mcp: mcp(servers, project),
      permission: permission(servers),
    };
    return {
      files: [
        {
          path: "opencode.json",
          text: printJson(layUnder(markSettings(settings), config), quote),
        },
      ],
      folders: ["home"],
      launch: {
        argv: ["opencode"],
        env: environment(folder),
        needs: neededVariables(servers, [
          ...modelKeys(settings),
          ...variablesOf(settings),
        ]),
        cwd: project,
      },
      diagnostics: serverProblems(servers, "opencode"),
    };
  },
};
