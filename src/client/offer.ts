// What a server offers, gathered from the very texts that it answered with: a definition is shown and pinned as it came,
// not as a parser has understood it. Only answers to the requests that were sent count, each once.
import {
  memberOf,
  scanJson,
  stringOf,
  type JsonNode,
} from "../enforce/json-scan.ts";
import { idOf } from "../enforce/message.ts";
import { definitionProblem } from "../enforce/tool-definition.ts";
import { visible } from "../diagnostics/visible.ts";

export interface OfferedTool {
  /** As the server spells it. */
  readonly name: string;
  /** As it may be shown: control and invisible characters made visible. */
  readonly shown: string;
  /** One line, made visible; may be empty. */
  readonly description: string;
  /** The definition as JSON text. */
  readonly source: string;
  /** What it says of itself: true for a tool that changes nothing. Null: it says nothing. */
  readonly readOnly: boolean | null;
  /** Why no agent is shown it, in words, or null. */
  readonly problem: string | null;
}

export interface Offer {
  /** In the server's order; a name that it lists twice stands here twice. */
  readonly tools: readonly OfferedTool[];
  /** JSON text of a string, or null. */
  readonly instructions: string | null;
}

export interface Listener {
  /** JSON text of a message that is sent. */
  sent(text: string): void;
  /** JSON text of a message that came. */
  heard(text: string): void;
  offer(): Offer;
}

const LIMITS = { depth: Infinity, members: 100_000, keep: 6, nodes: 1_000_000 };

export function listenToServer(): Listener {
  /** Methods of the requests without an answer, by the id's JSON text. */
  const waiting = new Map<string, string>();
  const tools: OfferedTool[] = [];
  let instructions: string | null = null;

  const read = (text: string): JsonNode | null => {
    const scan = scanJson(text, LIMITS);
    return "problem" in scan ? null : scan.root;
  };
  const idIn = (text: string, root: JsonNode): string | null => {
    const node = memberOf(root, "id");
    return node === null ? null : idOf(text, node);
  };
  return {
    sent(text) {
      const root = read(text);
      if (root === null) return;
      const id = idIn(text, root);
      const method = stringOf(text, memberOf(root, "method"));
      if (id !== null && method !== null) waiting.set(id, method);
    },
    heard(text) {
      const root = read(text);
      const id = root === null ? null : idIn(text, root);
      const result = memberOf(root, "result");
      if (id === null || result === null) return;
      const method = waiting.get(id);
      waiting.delete(id);
      if (method === "tools/list") {
        for (const node of memberOf(result, "tools")?.items ?? []) {
          const tool = toolIn(text, node);
          if (tool !== null) tools.push(tool);
        }
      } else if (method === "initialize" || method === "server/discover") {
        const node = memberOf(result, "instructions");
        if (node?.kind === "string")
          instructions = text.slice(node.start, node.end);
      }
    },
    offer: () => ({ tools, instructions }),
  };
}

function toolIn(text: string, node: JsonNode): OfferedTool | null {
  const name = stringOf(text, memberOf(node, "name"));
  if (name === null) return null;
  const description = stringOf(text, memberOf(node, "description")) ?? "";
  const hint = memberOf(memberOf(node, "annotations"), "readOnlyHint");
  return {
    name,
    shown: visible(name),
    description: visible(description.trim().replace(/\s+/g, " ")),
    source: text.slice(node.start, node.end),
    readOnly:
      hint?.kind === "word" ? text.startsWith("true", hint.start) : null,
    problem: definitionProblem(text, node),
  };
}
