// OpenCode's own file in a project, `opencode.jsonc` or `opencode.json`: the guards, and the rules behind whatever rules the
// user has, because the last one that matches wins. With `--only`, `enabled: false` for every other server.
import type {
  OtherSources,
  ProjectContext,
  ProjectEmission,
} from "../../src/emit/emitter.ts";
import type { Delivered } from "../../src/model/delivered.ts";
import { permission } from "./permission.ts";
import { mcp } from "./servers.ts";
import { SCHEMA } from "./shape.ts";

export function emitShared(
  servers: readonly Delivered[],
  { project, others }: ProjectContext,
): ProjectEmission {
  const entries = Object.entries(mcp(servers, project));
  return {
    files: [
      {
        format: "json",
        paths: ["opencode.jsonc", "opencode.json"],
        fresh: [{ at: ["$schema"], value: SCHEMA }],
        members: [
          ...entries.map(([name, entry]) => ({
            at: ["mcp", name],
            value: {
              ...entry,
              // Also where the user's own file switches off one of that name.
              enabled: true,
              timeout: servers.find((s) => s.name === name)?.guard?.wait ?? 0,
            },
          })),
          ...others.map(({ name, inOurFile }) =>
            inOurFile
              ? { at: ["mcp", name, "enabled"], value: false }
              : { at: ["mcp", name], value: { enabled: false } },
          ),
          ...Object.entries(permission(servers)).map(([rule, action]) => ({
            at: ["permission", rule],
            value: action,
          })),
        ],
        items: [],
        ordered: [["permission"]],
        servers: ["mcp"],
      },
    ],
    stillLoaded: [],
  };
}

const json = { format: "json", keys: [["mcp"], ["mcp", "servers"]] } as const;
const NAMES = ["opencode.json", "opencode.jsonc"];
const inFolder = (folder: string) => NAMES.map((name) => `${folder}/${name}`);

export const others: OtherSources = {
  sources: [
    {
      place: { kind: "home", variable: "XDG_CONFIG_HOME", folder: ".config" },
      names: ["opencode/config.json", ...inFolder("opencode")],
      ...json,
    },
    {
      place: { kind: "project", upTo: "repository" },
      names: NAMES,
      ...json,
    },
    {
      place: { kind: "project", upTo: "repository" },
      names: inFolder(".opencode"),
      ...json,
    },
    {
      place: { kind: "home", variable: null, folder: "" },
      names: inFolder(".opencode"),
      ...json,
    },
    {
      place: { kind: "system" },
      names: inFolder("/etc/opencode"),
      ...json,
    },
  ],
  heedsEnabled: true,
  sameName: "merges",
  off: [],
};
