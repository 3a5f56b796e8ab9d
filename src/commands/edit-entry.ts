// What `fenzi mcp add` wants, and what stands in the file → the entry as it will be written. With `--update` each thing
// that was given takes the place of the one that is there, variables and headers one by one; all else stays.
import type { Entry, YamlValue } from "../format/yaml-edit.ts";
import type { ServerEntry } from "../../schemas/fenzi.ts";
import { presetEntry } from "./preset-list.ts";
import type { Wanted } from "./read-wanted.ts";

/** The keys to set, in the order of a new entry; null takes a key out. */
export function editEntry(wanted: Wanted, old: ServerEntry | null): Entry {
  const { transport } = wanted;
  const entry: Record<string, YamlValue | null> = {};
  if (transport?.kind === "http")
    Object.assign(entry, {
      url: transport.url,
      command: null,
      env: null,
      cwd: null,
      isolation: null,
    });
  if (transport?.kind === "stdio")
    Object.assign(entry, {
      url: null,
      token: null,
      headers: null,
      allowSystemSocket: null,
      command: transport.command,
    });
  if (wanted.token && old?.token === undefined) entry["token"] = true;
  const kept = (was: unknown, kind: "http" | "stdio") =>
    was !== undefined && (transport === null || transport.kind === kind)
      ? (was as Readonly<Record<string, string>>)
      : {};
  if (Object.keys(wanted.env).length > 0)
    entry["env"] = { ...kept(old?.env, "stdio"), ...wanted.env };
  if (Object.keys(wanted.headers).length > 0)
    entry["headers"] = { ...kept(old?.headers, "http"), ...wanted.headers };
  const tools = toolsOf(wanted, old);
  if (tools !== null) entry["tools"] = tools;
  if (wanted.preset !== null) Object.assign(entry, presetEntry(wanted.preset));
  return entry;
}

/** Null when no rule was given. */
function toolsOf(wanted: Wanted, old: ServerEntry | null): YamlValue | null {
  if (wanted.allow === null && wanted.ask === null && wanted.deny === null)
    return null;
  const { allow, ask, deny } = { ...standing(old), ...given(wanted) };
  if (allow === "all" && ask === undefined && deny === undefined) return "all";
  return {
    ...(allow === undefined ? {} : { allow }),
    ...(ask === undefined ? {} : { ask }),
    ...(deny === undefined ? {} : { deny }),
  };
}

interface Rules {
  readonly allow?: "all" | readonly string[];
  readonly ask?: readonly string[];
  readonly deny?: readonly string[];
}

const standing = (old: ServerEntry | null): Rules =>
  old?.tools === "all" ? { allow: "all" } : ((old?.tools ?? {}) as Rules);

const given = ({ allow, ask, deny }: Wanted): Rules => ({
  ...(allow === null ? {} : { allow }),
  ...(ask === null ? {} : { ask }),
  ...(deny === null ? {} : { deny }),
});

/** Whether the entry would say which tools may be called. */
export const listsTools = (wanted: Wanted, old: ServerEntry | null): boolean =>
  (given(wanted).allow ?? standing(old).allow) !== undefined;
