// What is taken out of a message before a server gets it: capabilities that the policy closes (an honest server then
// never asks for them), a wish for log messages, and identifiers that follow a person from one server to the next.
// Known names that were spelt with escapes are written out; everything else stays as it came.
import { applyEdits, rebuildObject, replaceNode, type Edit } from "./edits.ts";
import { memberOf, type JsonMember, type JsonNode } from "./json-scan.ts";
import type { Message } from "./message.ts";
import { META } from "./protocol.ts";

/** Keys of `_meta` that no server gets. */
const WITHHELD: ReadonlySet<string> = new Set([
  META.logLevel,
  "traceparent",
  "tracestate",
  "baggage",
]);

/** The text for the server. */
export function trimRequest(message: Message): string {
  const { text, params, method, root } = message;
  const edits: Edit[] = [];
  spellOut(message, root, edits);
  if (params === null) return applyEdits(text, edits);
  const meta = memberOf(params, "_meta");
  if (meta?.members?.some((m) => isTrimmed(text, m)) === true)
    edits.push(
      replaceNode(
        meta,
        rebuildObject(text, meta.members, (m) =>
          WITHHELD.has(m.name)
            ? false
            : m.name === META.clientCapabilities && m.value.kind === "object"
              ? "{}"
              : true,
        ),
      ),
    );
  else spellOut(message, meta, edits);
  spellOut(message, params, edits);
  if (method === "initialize") {
    const capabilities = memberOf(params, "capabilities");
    if (capabilities?.kind === "object" && !isEmptyObject(text, capabilities))
      edits.push(replaceNode(capabilities, "{}"));
  }
  if (method === "subscriptions/listen") {
    const wanted = memberOf(params, "notifications");
    if (wanted !== null)
      edits.push(replaceNode(wanted, '{"toolsListChanged":true}'));
  }
  return applyEdits(text, edits);
}

/** Whether a `subscriptions/listen` asks for the one thing that is open. */
export function wantsToolsChanged(message: Message): boolean {
  const wanted = memberOf(
    memberOf(message.params, "notifications"),
    "toolsListChanged",
  );
  return wanted !== null && message.text.startsWith("true", wanted.start);
}

const isTrimmed = (text: string, member: JsonMember): boolean =>
  WITHHELD.has(member.name) ||
  // What is no object is left for the server to refuse.
  (member.name === META.clientCapabilities &&
    member.value.kind === "object" &&
    !isEmptyObject(text, member.value));

const isEmptyObject = (text: string, node: JsonNode): boolean =>
  text.slice(node.start + 1, node.end - 1).trim() === "";

/** Names, the method and the tool's name in plain letters, so that no server has to understand escapes to read them. */
function spellOut(
  message: Message,
  node: JsonNode | null,
  edits: Edit[],
): void {
  const { text, root, params } = message;
  for (const { name, nameStart, nameEscaped, value } of node?.members ?? []) {
    if (nameEscaped)
      edits.push({
        start: nameStart,
        end: endOfName(text, nameStart),
        text: JSON.stringify(name),
      });
    if (
      value.escaped &&
      ((node === root && name !== "id") || (node === params && name === "name"))
    )
      edits.push(
        replaceNode(
          value,
          JSON.stringify(
            JSON.parse(text.slice(value.start, value.end)) as string,
          ),
        ),
      );
  }
}

/** The offset behind the closing quote of a name with escapes in it. */
function endOfName(text: string, start: number): number {
  let end = start + 1;
  while (text[end] !== '"') end += text[end] === "\\" ? 2 : 1;
  return end + 1;
}
