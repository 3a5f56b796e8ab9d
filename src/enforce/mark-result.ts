// The result of a call: content as it came, with a mark in `_meta` that says which server it is from and that nobody has
// checked it, and without a secret that is split over two texts.
import { applyEdits, rebuildObject, replaceNode, type Edit } from "./edits.ts";
import { memberOf, scanJson, stringOf, type JsonNode } from "./json-scan.ts";
import type { Road } from "./road.ts";

const MARK_SERVER = "fenzi/server";
const MARK_UNTRUSTED = "fenzi/untrusted";

/** The text of the message with its result marked. `result` is an object. */
export function markResult(road: Road, text: string, result: JsonNode): string {
  // The name of a server needs no escapes.
  const mark = `"${MARK_SERVER}":"${road.server}","${MARK_UNTRUSTED}":true`;
  const edits: Edit[] = [];
  const meta = memberOf(result, "_meta");
  if (meta === null) {
    const empty = (result.members ?? []).length === 0;
    edits.push({
      start: result.end - 1,
      end: result.end - 1,
      text: `${empty ? "" : ","}"_meta":{${mark}}`,
    });
  } else {
    const rest = otherMembers(text.slice(meta.start, meta.end));
    edits.push(replaceNode(meta, `{${rest === "" ? "" : `${rest},`}${mark}}`));
  }
  const content = memberOf(result, "content");
  if (content?.kind === "array")
    for (const each of splitSecrets(road, text, content)) edits.push(each);
  return applyEdits(text, edits);
}

const LIMITS = { depth: Infinity, members: 100_000, keep: 2, nodes: 200_000 };

/** The members of the server's own `_meta`, but for the marks, which only we set. */
function otherMembers(meta: string): string {
  const scan = scanJson(meta, LIMITS);
  if ("problem" in scan) return "";
  return rebuildObject(
    meta,
    scan.root.members ?? [],
    (m) => m.name !== MARK_SERVER && m.name !== MARK_UNTRUSTED,
  ).slice(1, -1);
}

/** Edits that take out a secret which stands in several texts, a part in each. */
function splitSecrets(
  road: Road,
  text: string,
  content: JsonNode,
): readonly Edit[] {
  const source = text.slice(content.start, content.end);
  if (!hasSeveralTexts(source)) return [];
  const scan = scanJson(source, LIMITS);
  if ("problem" in scan) return [];
  const nodes = (scan.root.items ?? [])
    .map((item) => memberOf(item, "text"))
    .filter((node) => node?.kind === "string");
  const texts = nodes.map((node) => stringOf(source, node) ?? "");
  const clean = texts.length > 1 ? road.redactor.across(texts) : null;
  return (clean ?? []).flatMap((part, i) => {
    const node = nodes[i];
    return node === undefined || node === null || part === texts[i]
      ? []
      : [
          {
            start: node.start + content.start,
            end: node.end + content.start,
            text: JSON.stringify(part),
          },
        ];
  });
}

/** Two texts are at least two names `text` and two types of it, unless they are spelt with escapes. */
function hasSeveralTexts(source: string): boolean {
  if (source.includes("\\u")) return true;
  let count = 0;
  for (let at = source.indexOf('"text"'); at >= 0; count++)
    at = source.indexOf('"text"', at + 6);
  return count > 2;
}
