// One entry of another tool's file, read into the parts of a server: which transport, which words, variables, headers,
// tool rules. Nothing is judged yet but whether it is an entry at all.
import { report } from "../diagnostics/catalog.ts";
import type { Diagnostic, Span } from "../diagnostics/diagnostic.ts";
import { hasSecretForm } from "../match/secret.ts";
import { VARIABLE_NAME } from "../match/template.ts";
import type { KeyReason, ServerReason } from "../../schemas/import-document.ts";
import { FOREIGN_TYPES, foreignServer } from "../../schemas/foreign-mcp.ts";
import type { FoundEntry } from "./find-entries.ts";
import {
  items,
  members,
  plain,
  repeatedKey,
  type JsonNode,
  type JsonText,
  type Member,
} from "../source/json-text.ts";
import { readTools, TOOL_KEYS, type ReadTools } from "./read-tools.ts";

/** A text of the source and its place: `env.KEY`, `args[3]`. */
export interface SourceText {
  readonly text: string;
  readonly where: string;
  readonly node: JsonNode;
}

export interface SourcePair extends SourceText {
  readonly name: string;
}

export interface LeftKey {
  readonly key: string;
  readonly reason: KeyReason;
  /** In words; for a default, its variable. */
  readonly why: string;
  readonly at: Span;
}

export interface ReadEntry {
  readonly transport:
    | { readonly kind: "http"; readonly url: SourceText; readonly sse: boolean }
    | { readonly kind: "stdio"; readonly words: readonly SourceText[] };
  readonly env: readonly SourcePair[];
  readonly headers: readonly SourcePair[];
  readonly cwd: SourceText | null;
  /** Why it is switched off, or null. */
  readonly off: string | null;
  readonly tools: ReadTools;
  readonly left: readonly LeftKey[];
}

export interface Drop {
  readonly reason: ServerReason;
  readonly diagnostics: readonly Diagnostic[];
}

const URL_KEYS = ["httpUrl", "url", "serverUrl"] as const;
const USED = new Set([
  ...Object.keys(FOREIGN_TYPES),
  ...TOOL_KEYS,
  "disabled",
  "enabled",
  "isActive",
]);
/** What a person agreed to once in that tool: no rule about what may be called. */
const APPROVALS = /^(?:always_?allow|auto_?approved?|trust|trusted)$/i;

export function readEntry(json: JsonText, found: FoundEntry): ReadEntry | Drop {
  const { name, node } = found;
  const at = (place: JsonNode) => json.span(place);
  const drop = (
    reason: ServerReason,
    why: string,
    place: JsonNode = found.nameNode,
    other: JsonNode | null = null,
  ): Drop => ({
    reason,
    diagnostics: [
      report(
        "import/server-dropped",
        { name, reason, why },
        {
          at: at(place),
          notes:
            other === null
              ? []
              : [{ message: "the other one is here", at: at(other) }],
        },
      ),
    ],
  });

  if (found.stray !== null) return drop("not-an-entry", found.stray);
  if (node.type !== "object")
    return drop("not-an-entry", "is not an object", node);
  const twice = repeatedKey(node);
  if (twice !== null)
    return drop(
      "not-an-entry",
      `has the key \`${twice[1].key}\` twice`,
      twice[1].keyNode,
      twice[0].keyNode,
    );
  const merged = withTransport(node);
  if (merged === null)
    return drop("not-an-entry", "says one thing and its `transport` another");
  const all = new Map(merged.map((m) => [m.key, m]));
  const shape = foreignServer.safeParse(
    Object.fromEntries(merged.map((m) => [m.key, plain(m.value)])),
  );
  if (!shape.success) {
    const wrong = [
      ...new Set(shape.error.issues.map((issue) => String(issue.path[0]))),
    ];
    return {
      reason: "not-an-entry",
      diagnostics: wrong.flatMap(
        (key) =>
          drop(
            "not-an-entry",
            `has \`${key}\`, which must be ${(FOREIGN_TYPES as Readonly<Record<string, string>>)[key] ?? "of another type"}`,
            all.get(key)?.value,
          ).diagnostics,
      ),
    };
  }
  const value = (key: string): JsonNode | null => {
    const n = all.get(key)?.value;
    return n === undefined || n.type === "null" ? null : n;
  };
  const textAt = (key: string, n: JsonNode): SourceText => ({
    text: json.textOf(n),
    where: key,
    node: n,
  });
  const left: LeftKey[] = [];
  const leave = (
    key: string,
    reason: KeyReason,
    why: string,
    place: JsonNode,
  ) => void left.push({ key: shownKey(key), reason, why, at: at(place) });

  const urls = URL_KEYS.flatMap((key) => {
    const n = value(key);
    return n === null || json.textOf(n).trim() === "" ? [] : [textAt(key, n)];
  });
  const words = commandOf(json, value("command"), value("args"));
  const stated = value("type") ?? value("transport") ?? value("transportType");
  const type = typeOf(json, stated);
  const url = urls[0] ?? null;
  const both = url !== null && words !== null;
  if (both && type === "other")
    return drop(
      "not-an-entry",
      "has both a command and a URL",
      url.node,
      words[0]?.node ?? null,
    );
  const http = url !== null && (words === null || type !== "stdio");
  if (!http && words === null) return drop("no-transport", lacks(merged));
  for (const second of urls.slice(1))
    leave(
      second.where,
      "other-transport",
      `\`${url?.where ?? "url"}\` is taken`,
      second.node,
    );
  if (
    stated !== null &&
    (type === "other" || (http ? type === "stdio" : type !== "stdio"))
  )
    leave(
      merged.find((m) => m.value === stated)?.key ?? "type",
      "other-transport",
      `the entry has a ${http ? "URL" : "command"}, which it does not go with`,
      stated,
    );
  const env = [
    ...pairs(json, "env", value),
    ...pairs(json, "environment", value),
  ];
  const headers = pairs(json, "headers", value);
  const cwd = value("cwd");
  for (const { key, keyNode, value: n } of merged) {
    const idle =
      n.type === "null" ||
      n.value === false ||
      (n.type === "array" && items(n).length === 0);
    if (USED.has(key)) continue;
    if (!APPROVALS.test(key))
      leave(key, "not-supported", "Fenzi has no such setting", keyNode);
    else if (!idle)
      leave(
        key,
        "approval",
        "what was approved in that tool allows nothing here",
        keyNode,
      );
  }
  const misplaced: readonly SourceText[] = [
    ...(http ? [...env, ...(words ?? [])] : headers),
    ...(http && cwd !== null ? [textAt("cwd", cwd)] : []),
    ...(!http && url !== null ? [url] : []),
  ];
  for (const text of misplaced)
    leave(
      text.where,
      "other-transport",
      `it does not go with ${http ? "a URL" : "a command"}`,
      text.node,
    );
  return {
    transport: http
      ? { kind: "http", url, sse: type === "sse" && url.where !== "httpUrl" }
      : { kind: "stdio", words: words ?? [] },
    env: http ? [] : env,
    headers: http ? headers : [],
    cwd: http || cwd === null ? null : textAt("cwd", cwd),
    off: found.off ?? offOf(merged),
    tools: readTools(json, name, all, leave),
    left,
  };
}

/** The members of an entry, with those of a nested `transport` object; null when they contradict each other. */
function withTransport(node: JsonNode): readonly Member[] | null {
  const outer = members(node);
  const nested = outer.find(
    (m) => m.key === "transport" && m.value.type === "object",
  );
  if (nested === undefined) return outer;
  const rest = outer.filter((m) => m !== nested);
  const inner = members(nested.value);
  return inner.some((m) => rest.some((r) => r.key === m.key))
    ? null
    : [...rest, ...inner];
}

/** Program and arguments, never split; null when there is no program. */
function commandOf(
  json: JsonText,
  command: JsonNode | null,
  args: JsonNode | null,
): readonly SourceText[] | null {
  const list = command?.type === "array";
  const first: SourceText[] =
    command === null
      ? []
      : list
        ? items(command).map((node, i) => ({
            text: json.textOf(node),
            where: `command[${i}]`,
            node,
          }))
        : [{ text: json.textOf(command), where: "command", node: command }];
  if ((first[0]?.text ?? "").trim() === "") return null;
  return [
    ...first,
    ...items(args).map((node, i) => ({
      text: json.textOf(node),
      where: `args[${i}]`,
      node,
    })),
  ];
}

/** The transport that the entry names, whatever the spelling. */
function typeOf(
  json: JsonText,
  node: JsonNode | null,
): "stdio" | "http" | "sse" | "other" {
  const folded = (node === null ? "" : json.textOf(node))
    .toLowerCase()
    .replace(/[^a-z]/g, "");
  if (/^(?:stdio|local)$/.test(folded)) return "stdio";
  if (
    /^(?:http|https|streamable|streamablehttp|httpstream|remote)$/.test(folded)
  )
    return "http";
  return /sse/.test(folded) ? "sse" : "other";
}

/** Says what the entry has instead, when it looks like an address. */
function lacks(merged: readonly Member[]): string {
  const similar = merged.find(
    (m) =>
      /ur[li]|endpoint|address/i.test(m.key) &&
      m.value.type === "string" &&
      String(m.value.value) !== "",
  );
  return similar === undefined ||
    (URL_KEYS as readonly string[]).includes(similar.key)
    ? "has neither a command nor a URL"
    : `has no \`url\`; \`${similar.key}\` is not one that is read`;
}

/** The pairs of an object; of a list of `NAME=value` too. A null is no value. */
function pairs(
  json: JsonText,
  key: string,
  value: (key: string) => JsonNode | null,
): readonly SourcePair[] {
  const node = value(key);
  if (node?.type === "array")
    return items(node).map((item, i) => {
      const [name = "", ...rest] = json.textOf(item).split("=");
      const named = VARIABLE_NAME.test(name);
      return {
        name,
        text: rest.length === 0 && named ? `\${${name}}` : rest.join("="),
        where: named ? placeOf(key, name) : `${key}[${i}]`,
        node: item,
      };
    });
  return members(node)
    .filter((m) => m.value.type !== "null")
    .map((m) => ({
      name: m.key,
      text: json.textOf(m.value),
      where: placeOf(key, m.key),
      node: m.value,
    }));
}

/** A key may be a secret that got into the wrong place. */
const shownKey = (key: string): string => (hasSecretForm(key) ? "…" : key);

const placeOf = (key: string, name: string): string =>
  `${key}.${shownKey(name)}`;

/** Anything but a plain `false` under `disabled`, or a plain `true` under `enabled`, is taken for off. */
function offOf(merged: readonly Member[]): string | null {
  for (const { key, value } of merged) {
    if (value.type === "null") continue;
    const wanted = key !== "disabled";
    if (!["disabled", "enabled", "isActive"].includes(key)) continue;
    if (value.type !== "boolean")
      return `\`${key}\` is not a plain \`true\` or \`false\``;
    if (value.value !== wanted) return "it is off in its source";
  }
  return null;
}
