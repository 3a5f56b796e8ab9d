// OpenCode: one `opencode.json`, and a launch line with a home of its own, because OpenCode merges every configuration that
// it finds and nothing takes a server out again.
import type { Emitter } from "../../src/emit/emitter.ts";
import { printJson } from "../../src/format/json.ts";
import { layUnder } from "../../src/format/lay-under.ts";
import { neededVariables } from "../../src/match/needed-variables.ts";
import { modelKeys } from "./model-key.ts";
import { permission, reach } from "./permission.ts";
import { mcp, serverProblems } from "./servers.ts";
import { READS, RESERVED, VERSION, type ConfigFile } from "./shape.ts";
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
    "tools.allow": "native",
    "tools.ask": "native",
    "tools.deny": "native",
  },
  filter: reach,
  reserved: RESERVED,
  reads: READS,

  emit(servers, { folder, project, settings }) {
    const config: ConfigFile = {
      $schema: "https://opencode.ai/config.json",
      mcp: mcp(servers, project),
      permission: permission(servers),
    };
    const home = `${folder}/home`;
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
        env: {
          HOME: home,
          OPENCODE_CONFIG: `${folder}/opencode.json`,
          // What these two and OPENCODE_PERMISSION hold comes on top of our file: the caller's own must not.
          OPENCODE_CONFIG_CONTENT: "",
          OPENCODE_CONFIG_DIR: `${home}/.config/opencode`,
          OPENCODE_DISABLE_EXTERNAL_SKILLS: "1",
          OPENCODE_DISABLE_PROJECT_CONFIG: "1",
          OPENCODE_PERMISSION: "",
          XDG_CACHE_HOME: `${home}/.cache`,
          XDG_CONFIG_HOME: `${home}/.config`,
          XDG_DATA_HOME: `${home}/.local/share`,
          XDG_STATE_HOME: `${home}/.local/state`,
        },
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
