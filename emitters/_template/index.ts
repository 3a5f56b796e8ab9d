// An agent that does not exist: the smallest target, to be copied. It is not in `emitters/index.ts`.
import type { Emitter } from "../../src/emit/emitter.ts";
import { printJson } from "../../src/format/json.ts";
import { layUnder } from "../../src/format/lay-under.ts";
import { neededVariables } from "../../src/match/needed-variables.ts";
import { serverProblems, serversFile } from "./servers.ts";
import { emitShared, others } from "./project-files.ts";
import { READS, RESERVED, VERSION } from "./shape.ts";

export const template: Emitter = {
  target: "template",
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
  // How far the agent's own rules go, and how it spells a tool's name in them. Measured, not read.
  filter: { allow: "exact", ask: "exact", deny: "exact", kept: null },
  reserved: RESERVED,
  reads: READS,

  others,
  program: "template",
  condition: null,
  emitShared,

  emit(servers, { folder, project, settings }) {
    return {
      files: [
        {
          path: "servers.json",
          text: printJson(layUnder(settings, serversFile(servers))),
        },
      ],
      folders: ["home"],
      launch: {
        argv: ["template", "--config", `${folder}/servers.json`],
        env: { HOME: `${folder}/home` },
        needs: neededVariables(servers, ["TEMPLATE_API_KEY"]),
        cwd: project,
      },
      diagnostics: serverProblems(servers, "template"),
    };
  },
};
