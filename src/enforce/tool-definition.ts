// One entry of a server's tool list: whether it may be shown at all, whatever the rules say of its name, and what it
// tells about its arguments. What a model or a client could be led astray by is withheld, never repaired: nobody has
// approved the repaired text.
import { applyEdits, rebuildObject, replaceNode } from "./edits.ts";
import { memberOf, stringOf, type JsonNode } from "./json-scan.ts";
import type { KnownTool, ParamHeader } from "./known-tools.ts";

const MAX_LENGTH = 256 * 1024;
/** Levels of objects and arrays in a definition, and in what goes with a list. */
export const MAX_HEIGHT = 64;
const MAX_NAMES = 256;

/** Why a definition is withheld, in words, or null. `text` is the text that the node lies in. */
export function definitionProblem(text: string, tool: JsonNode): string | null {
  if (tool.members === null) return "it is not an object";
  if (stringOf(text, memberOf(tool, "name")) === null) return "it has no name";
  if (memberOf(tool, "inputSchema")?.kind !== "object")
    return "it has no schema of its arguments";
  if (tool.end - tool.start > MAX_LENGTH) return "it is too long";
  if (tool.height > MAX_HEIGHT) return "it is nested too deep";
  const support = memberOf(memberOf(tool, "execution"), "taskSupport");
  if (stringOf(text, support) === "required")
    return "it can only be called as a task";
  const source = text.slice(tool.start, tool.end);
  if (hasHiddenText(decodeEscapes(source)))
    return "its text has characters that nobody can see";
  const plain = source.includes("\\u") ? decodeLetters(source) : source;
  if (
    /"\$(?:ref|dynamicRef)"\s*:\s*"(?:[A-Za-z][A-Za-z0-9+.-]*:|\/\/)/.test(
      plain,
    )
  )
    return "its schema points to another place on the net";
  return plain.includes('"x-mcp-header"') && headersOf(text, tool) === null
    ? "a header that it asks for is not valid"
    : null;
}

/**
 * Controls that turn the direction of text, tag characters, zero-width ones, and those that steer a terminal. The two
 * joiners are left out: scripts and emoji need them.
 */
export const hasHiddenText = (text: string): boolean =>
  /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}]/u.test(
    text,
  );

/** JSON source with its escapes written out: no longer JSON, but every character of its strings is in it. */
export const decodeEscapes = (source: string): string =>
  source.includes("\\")
    ? source.replace(/\\(?:u([0-9a-fA-F]{4})|(.))/gs, (_all, hex, char) =>
        typeof hex === "string"
          ? String.fromCharCode(Number.parseInt(hex, 16))
          : (CONTROL[char as string] ?? (char as string)),
      )
    : source;

const CONTROL: Readonly<Record<string, string>> = {
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

/** Only letters and signs that need no escape, so that quotes still end strings. */
const decodeLetters = (source: string): string =>
  source.replace(/\\(?:u([0-9a-fA-F]{4})|.)/gs, (all: string, hex) => {
    const char =
      typeof hex === "string"
        ? String.fromCharCode(Number.parseInt(hex, 16))
        : "";
    return /^[ !#-[\]-~]$/.test(char) ? char : all;
  });

/** What the tool declares. */
export function knownTool(
  text: string,
  tool: JsonNode,
  hash: string | null,
): KnownTool {
  const properties = memberOf(memberOf(tool, "inputSchema"), "properties");
  const declared = (properties?.members ?? [])
    .slice(0, MAX_NAMES)
    .filter(({ name }) => name.length <= 128);
  return {
    argumentNames: new Set(declared.map(({ name }) => name)),
    textArguments: new Set(
      declared
        .filter(
          ({ value }) => stringOf(text, memberOf(value, "type")) === "string",
        )
        .map(({ name }) => name),
    ),
    headers: text.slice(tool.start, tool.end).includes("x-mcp-")
      ? (headersOf(text, tool) ?? [])
      : [],
    hash,
  };
}

/** The arguments that are mirrored into headers, or null when one declaration breaks the rules of the protocol. */
function headersOf(
  text: string,
  tool: JsonNode,
): readonly ParamHeader[] | null {
  const node = memberOf(tool, "inputSchema");
  if (node === null) return [];
  const out: ParamHeader[] = [];
  const valid = collect(JSON.parse(text.slice(node.start, node.end)), [], out);
  const names = new Set(out.map((header) => header.name));
  return valid && names.size === out.length ? out : null;
}

/** Keywords whose values are data and no schemas. */
const DATA: ReadonlySet<string> = new Set([
  "const",
  "default",
  "enum",
  "examples",
  "required",
]);

/** `path` is null where a value is not reached through `properties` alone. */
function collect(
  schema: unknown,
  path: readonly string[] | null,
  out: ParamHeader[],
): boolean {
  if (Array.isArray(schema))
    return schema.every((item) => collect(item, null, out));
  if (typeof schema !== "object" || schema === null) return true;
  const keywords = schema as Readonly<Record<string, unknown>>;
  if (Object.hasOwn(keywords, "x-mcp-header")) {
    const name = keywords["x-mcp-header"];
    if (
      path === null ||
      path.length === 0 ||
      typeof name !== "string" ||
      !/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}$/.test(name) ||
      !["string", "integer", "boolean"].includes(String(keywords["type"]))
    )
      return false;
    out.push({ name: name.toLowerCase(), path });
  }
  return Object.entries(keywords).every(([keyword, value]) => {
    if (DATA.has(keyword)) return true;
    if (keyword !== "properties") return collect(value, null, out);
    return Object.entries((value ?? {}) as Record<string, unknown>).every(
      ([name, inner]) =>
        collect(inner, path === null ? null : [...path, name], out),
    );
  });
}

/** The definition for the client: as it came, without what would put pages of the server into the client. */
export function shownDefinition(text: string, tool: JsonNode): string {
  const source = text.slice(tool.start, tool.end);
  const meta = memberOf(tool, "_meta");
  if (meta?.members?.some((m) => isPage(m.name)) !== true) return source;
  const rebuilt = rebuildObject(text, meta.members, (m) => !isPage(m.name));
  const edit = replaceNode(meta, rebuilt);
  return applyEdits(source, [
    { ...edit, start: edit.start - tool.start, end: edit.end - tool.start },
  ]);
}

/** Keys of MCP Apps. */
const isPage = (name: string): boolean =>
  name === "ui" || name.startsWith("ui/");
