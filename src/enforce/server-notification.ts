// Notifications of a server: those that serve listing and calling tools, and only for the client they are meant for.
import { applyEdits, rebuildObject, replaceNode } from "./edits.ts";
import type { ResponseContext, ServerMessage } from "./enforce-response.ts";
import type { Exchange, Outstanding } from "./exchange.ts";
import { memberOf, scanJson, stringOf, type JsonNode } from "./json-scan.ts";
import { idOf } from "./message.ts";
import { META } from "./protocol.ts";
import type { Road } from "./road.ts";
import type { BackVerdict } from "./verdict.ts";

/** Characters of the words that go with progress. */
const MAX_WORDS = 4_096;

export function judgeNotification(
  road: Road,
  text: string,
  message: ServerMessage,
  { outstanding, era }: ResponseContext,
): BackVerdict {
  const dropped: BackVerdict = { kind: "drop", record: null };
  if (message.idNode !== null) return dropped;
  const params = readParams(text, message.params);
  const pass = (
    changed: string,
    settled: Exchange | null = null,
  ): BackVerdict => {
    const clean = road.redactor.json(changed);
    return {
      kind: "pass",
      text: clean,
      same: clean === text,
      settled,
      record: null,
    };
  };
  switch (message.method) {
    case "notifications/tools/list_changed":
      return era === "modern" && listenerOf(params, outstanding) === null
        ? dropped
        : pass(onlyMeta(text, message.params, params));
    case "notifications/progress": {
      const token = idIn(params, "progressToken");
      const wanted = [...outstanding.values()].some(
        (e) => token !== null && e.progressToken === token,
      );
      return wanted ? pass(withShortWords(text, params)) : dropped;
    }
    case "notifications/subscriptions/acknowledged": {
      const filter = memberOf(params.root, "notifications");
      if (listenerOf(params, outstanding) === null || filter === null)
        return dropped;
      return pass(
        applyEdits(text, [
          replaceNode(moved(filter, params.offset), onlyTools(params, filter)),
        ]),
      );
    }
    case "notifications/cancelled": {
      // Only what was listened for can be ended by the server.
      const id = idIn(params, "requestId");
      const ended = id === null ? undefined : outstanding.get(id);
      return ended?.method === "subscriptions/listen"
        ? pass(text, ended)
        : dropped;
    }
    default:
      return dropped;
  }
}

/** `params` read on its own, deeper than the message was. */
interface Params {
  readonly text: string;
  readonly root: JsonNode | null;
  /** Where `text` begins in the message. */
  readonly offset: number;
}

function readParams(text: string, node: JsonNode | null): Params {
  if (node?.kind !== "object") return { text: "", root: null, offset: 0 };
  const source = text.slice(node.start, node.end);
  const scan = scanJson(source, {
    depth: Infinity,
    members: 1_000,
    keep: 2,
    nodes: 10_000,
  });
  return {
    text: source,
    root: "problem" in scan ? null : scan.root,
    offset: node.start,
  };
}

function idIn(params: Params, name: string): string | null {
  const node = memberOf(params.root, name);
  return node === null ? null : idOf(params.text, node);
}

/** The open `subscriptions/listen` that a notification names. */
function listenerOf(params: Params, outstanding: Outstanding): Exchange | null {
  const node = memberOf(memberOf(params.root, "_meta"), META.subscription);
  const id = node === null ? null : idOf(params.text, node);
  const found = id === null ? undefined : outstanding.get(id);
  return found?.method === "subscriptions/listen" ? found : null;
}

/** It has no more to say than that: definitions in it would be ones that nobody compared with a pin. */
function onlyMeta(text: string, node: JsonNode | null, params: Params): string {
  const members = params.root?.members ?? [];
  if (
    node === null ||
    (params.root !== null && members.every(({ name }) => name === "_meta"))
  )
    return text;
  return applyEdits(text, [
    replaceNode(
      node,
      rebuildObject(params.text, members, ({ name }) => name === "_meta"),
    ),
  ]);
}

function onlyTools(params: Params, filter: JsonNode): string {
  const tools = memberOf(filter, "toolsListChanged");
  return tools !== null && params.text.startsWith("true", tools.start)
    ? '{"toolsListChanged":true}'
    : "{}";
}

function withShortWords(text: string, params: Params): string {
  const node = memberOf(params.root, "message");
  const words = stringOf(params.text, node);
  return node === null || words === null || words.length <= MAX_WORDS
    ? text
    : applyEdits(text, [
        replaceNode(
          moved(node, params.offset),
          JSON.stringify(`${words.slice(0, MAX_WORDS).toWellFormed()}…`),
        ),
      ]);
}

const moved = (node: JsonNode, by: number): JsonNode => ({
  ...node,
  start: node.start + by,
  end: node.end + by,
});
