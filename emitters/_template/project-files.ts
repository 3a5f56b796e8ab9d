// The agent's own file in a project: which of its keys and list items are ours, and where else the agent finds servers.
import type {
  OtherSources,
  ProjectContext,
  ProjectEmission,
} from "../../src/emit/emitter.ts";
import type { Delivered } from "../../src/model/delivered.ts";
import { serversFile } from "./servers.ts";

export function emitShared(
  servers: readonly Delivered[],
  { others }: ProjectContext,
): ProjectEmission {
  return {
    files: [
      {
        format: "json",
        paths: [".template.json"],
        fresh: [],
        members: Object.entries(serversFile(servers).servers).map(
          ([name, value]) => ({ at: ["servers", name], value }),
        ),
        items: others.map(({ name }) => ({ at: ["off"], item: name })),
        ordered: [],
        servers: ["servers"],
      },
    ],
    stillLoaded: [],
  };
}

export const others: OtherSources = {
  sources: [
    {
      place: { kind: "home", variable: "TEMPLATE_HOME", folder: ".template" },
      names: ["servers.json"],
      format: "json",
      keys: [["servers"]],
    },
    {
      place: { kind: "project", upTo: "repository" },
      names: [".template.json"],
      format: "json",
      keys: [["servers"]],
    },
  ],
  heedsEnabled: true,
  sameName: "replaces",
  off: [
    {
      of: null,
      sources: [
        {
          place: { kind: "project", upTo: "project" },
          names: [".template.json"],
          format: "json",
          keys: [["off"]],
        },
      ],
    },
  ],
};
