// The result of a call: content as it came, with a mark in `_meta` that says which server it is from and that nobody has
// checked it, and without a secret that is split over two texts.
import { applyEdits, rebuildObject, replaceNode, type Edit } from "./edits.ts";
import { memberOf, scanJson, stringOf, type JsonNode } from "./json-scan.ts";
import type { Road } from "./road.ts";

const MARK_SERVER = "fenzi/server";
const MARK_UNTRUSTED = "fenzi/untrusted";

/** `result` is JSON source of an object. */
export function markResult(road: Road, result: string): string {
  const scan = scanJson(result, {
    depth: Infinity,
    members: 100_000,
    keep: 2,
    nodes: 200_000,
  });
  if ("problem" in scan) return result;
  const { root } = scan;
  const mark = `"${MARK_SERVER}":${JSON.stringify(road.server)},"${MARK_UNTRUSTED}":true`;
  const edits: Edit[] = [];
  const meta = memberOf(root, "_meta");
  if (meta === null) {
    const empty = (root.members ?? []).length === 0;
    edits.push({
      start: root.end - 1,
      end: root.end - 1,
      text: `${empty ? "" : ","}"_meta":{${mark}}`,
    });
  } else {
    const rest = rebuildObject(
      result,
      meta.members ?? [],
      (m) => m.name !== MARK_SERVER && m.name !== MARK_UNTRUSTED,
    ).slice(1, -1);
    edits.push(replaceNode(meta, `{${rest === "" ? "" : `${rest},`}${mark}}`));
  }
  const content = memberOf(root, "content");
  if ((content?.items ?? []).length > 1)
    edits.push(...splitSecrets(road, result, content));
  return applyEdits(result, edits);
}

/** Edits that take out a secret which stands in several texts, a part in each. */
function splitSecrets(
  road: Road,
  result: string,
  content: JsonNode | null,
): readonly Edit[] {
  if (content === null) return [];
  const source = result.slice(content.start, content.end);
  const scan = scanJson(source, {
    depth: Infinity,
    members: 100_000,
    keep: 2,
    nodes: 200_000,
  });
  if ("problem" in scan) return [];
  const nodes = (scan.root.items ?? [])
    .map((item) => memberOf(item, "text"))
    .filter((node) => node?.kind === "string");
  const texts = nodes.map((node) => stringOf(source, node) ?? "");
  const clean = texts.length > 1 ? road.redactor.across(texts) : null;
  return (clean ?? []).flatMap((text, i) => {
    const node = nodes[i];
    return node === undefined || node === null || text === texts[i]
      ? []
      : [
          {
            start: node.start + content.start,
            end: node.end + content.start,
            text: JSON.stringify(text),
          },
        ];
  });
}
