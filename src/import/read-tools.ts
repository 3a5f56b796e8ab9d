// Tool lists of other tools' entries: what may be called, what may not. A list that cannot be read whole may only get
// narrower by it.
import type { KeyReason } from "../../schemas/import-document.ts";
import { findSecret } from "../match/secret.ts";
import { MOST_CHARACTERS } from "../match/tool-pattern.ts";
import { fitName } from "./fit-name.ts";
import {
  items,
  members,
  type JsonNode,
  type JsonText,
  type Member,
} from "../source/json-text.ts";

export interface ReadTools {
  /** Null when the source has no list. */
  readonly allow: "all" | readonly string[] | null;
  readonly deny: readonly string[];
}

type Leave = (
  key: string,
  reason: KeyReason,
  why: string,
  node: JsonNode,
) => void;

const ALLOW = ["enabledTools", "enabled_tools", "includeTools", "allowedTools"];
const DENY = [
  "disabledTools",
  "disabled_tools",
  "excludeTools",
  "disallowedTools",
];
/** `tools` is a list of names, or an object of switches by name. */
export const TOOL_KEYS: readonly string[] = [...ALLOW, ...DENY, "tools"];

export function readTools(
  json: JsonText,
  server: string,
  all: ReadonlyMap<string, Member>,
  leave: Leave,
): ReadTools {
  const rulesOf = (key: string, list: readonly JsonNode[]) =>
    list.flatMap((item) => {
      const read = ruleOf(json.textOf(item), server);
      if ("rule" in read) return [read.rule];
      leave(key, read.reason, read.why, item);
      return [];
    });
  const listAt = (key: string): readonly string[] | null => {
    const node = all.get(key)?.value;
    if (node === undefined || node.type === "null") return null;
    return rulesOf(key, node.type === "array" ? items(node) : [node]);
  };
  const tools = all.get("tools")?.value ?? null;
  const switches = members(tools);
  const off = switches.filter((m) => m.value.value === false);
  if (
    tools !== null &&
    tools.type !== "null" &&
    tools.type !== "array" &&
    !(switches.length > 0 && switches.every((m) => m.value.type === "boolean"))
  )
    leave("tools", "not-supported", "it is not a list of tool names", tools);
  const allow = [...ALLOW, ...(tools?.type === "array" ? ["tools"] : [])]
    .map(listAt)
    .filter((list) => list !== null)
    .map((list) => (list.includes("*") ? ("all" as const) : list))
    .reduce<ReadTools["allow"]>(
      (narrow, list) =>
        narrow === null || narrow === "all"
          ? list
          : list === "all"
            ? narrow
            : narrow.filter((rule) => list.includes(rule)),
      null,
    );
  const deny = [
    ...DENY.flatMap((key) => listAt(key) ?? []),
    ...rulesOf(
      "tools",
      off.map((m) => m.keyNode),
    ),
  ];
  return {
    allow: allow === null || allow === "all" ? allow : [...new Set(allow)],
    deny: [...new Set(deny)],
  };
}

/** A tool name; Claude Code's `mcp__SERVER__TOOL` is taken apart only by the server's own name. */
function ruleOf(
  text: string,
  server: string,
):
  | { readonly rule: string }
  | { readonly reason: KeyReason; readonly why: string } {
  if (
    text === "" ||
    text.startsWith("!") ||
    text.includes("\0") ||
    !text.isWellFormed()
  )
    return { reason: "not-a-rule", why: "an item of it names no tool" };
  if (text.length > MOST_CHARACTERS)
    return { reason: "not-a-rule", why: "an item of it is too long" };
  if (findSecret(text, { kind: "text" }) !== null)
    return {
      reason: "not-a-rule",
      why: "an item of it looks like a secret, not like a tool",
    };
  if (!text.startsWith("mcp__")) return { rule: text };
  const own = [server, server.replace(/[^A-Za-z0-9_-]/g, "_"), fitName(server)];
  const rest = text.slice("mcp__".length);
  for (const name of own) {
    if (rest === name) return { rule: "*" };
    if (rest.startsWith(`${name}__`) && rest.length > name.length + 2)
      return { rule: rest.slice(name.length + 2) };
  }
  return {
    reason: "other-server",
    why: "an item of it is about another server",
  };
}
