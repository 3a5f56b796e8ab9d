// YAML 1.2 core, one document, no directives, no tags, text keys: everything else is an error with its place.
import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  parseAllDocuments,
  visit,
  type Document,
  type Node,
  type YAMLError,
} from "yaml";
import { report } from "../diagnostics/catalog.ts";
import {
  MOST_PROBLEMS,
  type Diagnostic,
  type Position,
  type Result,
  type Span,
} from "../diagnostics/diagnostic.ts";
import { commentsOf } from "../format/yaml-source.ts";
import { locator } from "./locate.ts";
import { positions, type Source } from "./source-file.ts";

const MOST_ALIASES = 100;
/** Keys with a meaning of their own: YAML 1.1 merging, and JavaScript's prototypes. */
const RESERVED_KEYS = new Set(["<<", "__proto__"]);

interface Walk {
  readonly targets: ReadonlyMap<Node, Node>;
  readonly span: (range: readonly number[] | null | undefined) => Span;
  readonly diagnostics: Diagnostic[];
  readonly open: Set<Node>;
  aliases: number;
}

/**
 * Parses `text`. `file` is the path as it is shown. What does not parse gives no value; a key or value that we do not take
 * is an error and absent from the value, so that the rest of the file can still be looked at.
 */
export function parseYaml(file: string, text: string): Result<Source> {
  const diagnostics: Diagnostic[] = [];
  const at = positions(text);
  const span = (range: readonly number[] | null | undefined): Span => {
    const start = Math.min(range?.[0] ?? 0, text.length);
    return {
      file,
      start: at(start),
      end: at(Math.max(start, range?.[1] ?? start)),
    };
  };
  directives(text, span, diagnostics);
  if (diagnostics.length > 0) return { value: null, diagnostics };
  const documents = parseAllDocuments(text, {
    version: "1.2",
    schema: "core",
    merge: false,
    strict: true,
    uniqueKeys: false,
    prettyErrors: false,
  });
  const list = "empty" in documents ? [] : documents;
  for (const document of list) {
    for (const error of document.errors.slice(0, MOST_PROBLEMS))
      diagnostics.push(
        error.code === "TAG_RESOLVE_FAILED"
          ? report(
              "source/tag",
              { tag: text.slice(...error.pos) },
              { at: span(error.pos) },
            )
          : report(
              "source/not-yaml",
              { reason: words(error) },
              { at: span(error.pos) },
            ),
      );
  }
  const second = list[1];
  if (second !== undefined)
    diagnostics.push(
      report(
        "source/several-documents",
        {},
        { at: span(second.range ?? second.contents?.range) },
      ),
    );
  const first = list[0];
  if (diagnostics.length > 0) return { value: null, diagnostics };
  const walk: Walk | null =
    first === undefined
      ? null
      : {
          targets: targetsOf(first),
          span,
          diagnostics,
          open: new Set(),
          aliases: 0,
        };
  const value =
    walk === null || first === undefined || isEmpty(first.contents)
      ? Object.create(null)
      : plain(walk, first.contents as Node, "the file");
  let silent: ReadonlySet<number> | null = null;
  return {
    value: {
      file,
      text,
      value,
      locate: locator(first?.contents ?? null, span),
      silenced: (place) =>
        (silent ??= silencedLines(text, at)).has(place.start.line),
    },
    diagnostics,
  };
}

const isEmpty = (node: unknown): boolean =>
  node === null ||
  (isScalar(node) && node.value === null && (node.source ?? "") === "");

/** Directives stand at the start of a line before a document; the parser forgives some, we forgive none. The first is said. */
function directives(
  text: string,
  span: (range: readonly number[]) => Span,
  diagnostics: Diagnostic[],
): void {
  const before = /^\uFEFF?(?:[ \t]*(?:#[^\r\n]*)?\r?\n)*/.exec(text);
  const start = before?.[0].length ?? 0;
  const directive = /^%[^\r\n]*/.exec(text.slice(start))?.[0];
  if (directive !== undefined)
    diagnostics.push(
      report(
        "source/directive",
        { directive },
        { at: span([start, start + directive.length]) },
      ),
    );
}

/** The lines that end with a comment which says that they hold no secret. */
function silencedLines(
  text: string,
  at: (offset: number) => Position,
): ReadonlySet<number> {
  return new Set(
    commentsOf(text)
      .filter((c) => /(?:^|\s)#\s*fenzi: not a secret$/.test(c.text))
      .map((c) => at(c.offset).line),
  );
}

/** What each alias means: the last node before it in the text with that anchor. */
function targetsOf(document: Document.Parsed): ReadonlyMap<Node, Node> {
  const anchors = new Map<string, Node>();
  const targets = new Map<Node, Node>();
  visit(document, {
    Node: (_, node) => {
      if (isAlias(node)) {
        const target = anchors.get(node.source);
        if (target !== undefined) targets.set(node, target);
      } else if (node.anchor !== undefined)
        anchors.set(node.anchor, node as Node);
    },
  });
  return targets;
}

function plain(walk: Walk, node: Node, key: string): unknown {
  if (walk.diagnostics.length >= MOST_PROBLEMS) return undefined;
  if (isAlias(node)) return resolveAlias(walk, node, key);
  if (node.tag !== undefined) {
    walk.diagnostics.push(
      report(
        "source/tag",
        { tag: tagText(node) },
        { at: walk.span(node.range) },
      ),
    );
    return undefined;
  }
  if (isScalar(node)) return scalar(walk, node, key);
  if (walk.open.has(node)) return undefined;
  walk.open.add(node);
  const value = isMap(node)
    ? mapping(walk, node)
    : isSeq(node)
      ? node.items.map((item, i) => plain(walk, item as Node, `${key}[${i}]`))
      : undefined;
  walk.open.delete(node);
  return value;
}

function resolveAlias(walk: Walk, node: Node, key: string): unknown {
  if (!isAlias(node)) return undefined;
  const at = walk.span(node.range);
  if (++walk.aliases > MOST_ALIASES) {
    if (walk.aliases === MOST_ALIASES + 1)
      walk.diagnostics.push(
        report(
          "source/alias",
          { reason: `aliases are expanded more than ${MOST_ALIASES} times` },
          { at },
        ),
      );
    return undefined;
  }
  const target = walk.targets.get(node);
  if (target === undefined) {
    walk.diagnostics.push(
      report(
        "source/alias",
        {
          reason: `nothing before it in this file is called \`&${node.source}\``,
        },
        { at },
      ),
    );
    return undefined;
  }
  if (walk.open.has(target)) {
    walk.diagnostics.push(
      report(
        "source/alias",
        { reason: `the alias \`*${node.source}\` stands inside what it means` },
        { at },
      ),
    );
    return undefined;
  }
  return plain(walk, target, key);
}

function mapping(walk: Walk, node: Node): unknown {
  const out = Object.create(null) as Record<string, unknown>;
  if (!isMap(node)) return out;
  for (const pair of node.items) {
    if (walk.diagnostics.length >= MOST_PROBLEMS) break;
    const keyNode = pair.key as Node;
    const at = walk.span(keyNode?.range ?? node.range);
    const key = isScalar(keyNode) ? keyNode.value : undefined;
    if (isScalar(keyNode) && keyNode.tag !== undefined)
      walk.diagnostics.push(
        report("source/tag", { tag: tagText(keyNode) }, { at }),
      );
    if (typeof key !== "string") {
      const shown = isScalar(keyNode)
        ? (keyNode.source ?? String(keyNode.value))
        : "…";
      walk.diagnostics.push(
        report("source/key-not-text", { key: shown }, { at }),
      );
      continue;
    }
    if (RESERVED_KEYS.has(key))
      walk.diagnostics.push(report("source/reserved-key", { key }, { at }));
    else if (key in out)
      walk.diagnostics.push(report("source/duplicate-key", { key }, { at }));
    else if (pair.value === null)
      walk.diagnostics.push(report("source/null", { key }, { at }));
    else out[key] = plain(walk, pair.value as Node, key);
  }
  return out;
}

function scalar(walk: Walk, node: Node, key: string): unknown {
  if (!isScalar(node)) return undefined;
  if (node.value === null) {
    walk.diagnostics.push(
      report("source/null", { key }, { at: walk.span(node.range) }),
    );
    return undefined;
  }
  if (
    typeof node.value === "string" &&
    (node.value.includes("\0") || !node.value.isWellFormed())
  )
    walk.diagnostics.push(
      report("source/not-text", {}, { at: walk.span(node.range) }),
    );
  return node.value;
}

const tagText = (node: Node): string =>
  (node.tag ?? "").replace(/^tag:yaml\.org,2002:/, "!!");

/** The parser's own words, in our form: one line, lower case at the start, no final period. */
function words(error: YAMLError): string {
  const line = (error.message.split("\n")[0] ?? "").replace(/[.:]\s*$/, "");
  return line.charAt(0).toLowerCase() + line.slice(1);
}
