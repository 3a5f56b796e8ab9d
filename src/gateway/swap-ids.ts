// Two clients of one server may use the same id, or the same progress token, at once. A server that keeps clients apart
// does not care; one that mixes them up (as SDKs did, CVE-2026-25536) would give one client the other's answer. So the
// second of the two goes out under an id that nobody else has, and what comes back is turned into the client's again.
import { applyEdits, replaceNode, type Edit } from "../enforce/edits.ts";
import type { Exchange } from "../enforce/exchange.ts";
import {
  memberOf,
  scanJson,
  stringOf,
  type JsonNode,
} from "../enforce/json-scan.ts";
import { idOf } from "../enforce/message.ts";
import { META } from "../enforce/protocol.ts";

/** All as JSON text. */
export interface Swap {
  readonly id: { readonly client: string; readonly server: string };
  /** Null when the request has no progress token. */
  readonly token: { readonly client: string; readonly server: string } | null;
}

/** `unique` gives a text that nobody else has. */
export const makeSwap = (exchange: Exchange, unique: string): Swap => ({
  id: { client: exchange.id, server: JSON.stringify(unique) },
  token:
    exchange.progressToken === null
      ? null
      : { client: exchange.progressToken, server: JSON.stringify(unique) },
});

/** As deep as ids and tokens lie in a request or a notification. */
const WHOLE = { depth: Infinity, members: 100_000, keep: 3, nodes: 200_000 };
/** Of an answer, which may be large, only the outermost members are kept. */
const OUTERMOST = { ...WHOLE, keep: 1 };

/** A request as the server gets it. */
export function swapOut(bytes: Uint8Array, swap: Swap): Uint8Array {
  return edited(bytes, (root) => {
    const id = memberOf(root, "id");
    const token = memberOf(
      memberOf(memberOf(root, "params"), "_meta"),
      "progressToken",
    );
    return [
      ...(id === null ? [] : [replaceNode(id, swap.id.server)]),
      ...(token === null || swap.token === null
        ? []
        : [replaceNode(token, swap.token.server)]),
    ];
  });
}

/** A cancellation as the server gets it. */
export const swapCancelled = (bytes: Uint8Array, swap: Swap): Uint8Array =>
  edited(bytes, (root) => {
    const id = memberOf(memberOf(root, "params"), "requestId");
    return id === null ? [] : [replaceNode(id, swap.id.server)];
  });

function edited(
  bytes: Uint8Array,
  edits: (root: JsonNode) => readonly Edit[],
): Uint8Array {
  const text = new TextDecoder().decode(bytes);
  const scan = scanJson(text, WHOLE);
  return "problem" in scan
    ? bytes
    : new TextEncoder().encode(applyEdits(text, edits(scan.root)));
}

/**
 * A message of the server in the client's terms; null for one that names what is swapped by the client's own id or
 * token: it is meant for somebody else. Text that cannot be read stays as it is; the road refuses it.
 */
export function swapBack(text: string, swaps: readonly Swap[]): string | null {
  if (swaps.length === 0) return text;
  const outer = scanJson(text, OUTERMOST);
  if ("problem" in outer) return text;
  const method = stringOf(text, memberOf(outer.root, "method"));
  const scan = method === null ? outer : scanJson(text, WHOLE);
  if ("problem" in scan) return text;
  const { root } = scan;
  const params = memberOf(root, "params");
  const named: readonly {
    readonly node: JsonNode | null;
    readonly what: "id" | "token";
  }[] =
    method === null
      ? [{ node: memberOf(root, "id"), what: "id" }]
      : [
          { node: memberOf(params, "progressToken"), what: "token" },
          { node: memberOf(params, "requestId"), what: "id" },
          {
            node: memberOf(memberOf(params, "_meta"), META.subscription),
            what: "id",
          },
        ];
  const edits: Edit[] = [];
  for (const { node, what } of named) {
    const value = node === null ? null : idOf(text, node);
    if (node === null || value === null) continue;
    for (const swap of swaps) {
      const pair = swap[what];
      if (pair === null) continue;
      if (value === pair.client) return null;
      if (value === pair.server) edits.push(replaceNode(node, pair.client));
    }
  }
  return applyEdits(text, edits);
}
