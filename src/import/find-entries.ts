// Where the servers of a file are, by its content: under `mcpServers`, `servers`, `mcp.servers`, or at the top. What an
// entry says is `read-entry.ts`.
import { report } from "../diagnostics/catalog.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { SourceFormat } from "../../schemas/import-document.ts";
import {
  items,
  member,
  members,
  type JsonNode,
  type JsonText,
  type Member,
} from "../source/json-text.ts";

export interface FoundEntry {
  /** The name in the source. */
  readonly name: string;
  /** The part of the file it lies in: a name may stand once in each. */
  readonly group: string;
  readonly nameNode: JsonNode;
  readonly node: JsonNode;
  /** Why the entry cannot count, whatever it says, or null. */
  readonly stray: string | null;
  /** Why the tool does not start it although the entry does not say so, or null. */
  readonly off: string | null;
}

interface FoundEntries {
  readonly format: SourceFormat;
  readonly entries: readonly FoundEntry[];
  /** Inputs of the source that have a default, which is not taken over. */
  readonly defaults: ReadonlySet<string>;
  readonly diagnostics: readonly Diagnostic[];
}

interface Wrapper {
  readonly format: SourceFormat;
  readonly top: Member;
  readonly nodes: readonly JsonNode[];
}

/** Members of which nobody needs to be told: what they say is used, or nothing. */
const QUIET = new Set(["$schema", "inputs", "mcp"]);

export function findEntries(json: JsonText): FoundEntries {
  const { root } = json;
  const diagnostics: Diagnostic[] = [];
  const none = (): FoundEntries => ({
    format: "none",
    entries: [],
    defaults: new Set(),
    diagnostics,
  });
  const top = members(root);
  const wrappers = findWrappers(top);
  const entries: FoundEntry[] = wrappers.flatMap((wrapper) =>
    wrapper.nodes.flatMap((node) => inWrapper(wrapper, node)),
  );
  const rest = top.filter(
    (m) => !wrappers.some((w) => w.top.key === m.key) && !QUIET.has(m.key),
  );
  const wrong = rest.filter(isMisspelt);
  for (const { key, value } of wrong)
    for (const inner of members(value))
      entries.push(
        entry(
          inner,
          key,
          `stands under \`${key}\`, which must be \`mcpServers\``,
        ),
      );
  const format = wrappers[0]?.format ?? null;
  const map = format === null && wrong.length === 0 ? asMap(rest) : null;
  if (map !== null)
    return {
      ...none(),
      format: "map",
      entries: map.map((m) => entry(m, "map", null)),
    };
  if (format !== "mcp.servers")
    for (const m of rest)
      if (looksLikeServer(m.value))
        entries.push(
          entry(
            m,
            "",
            format === null
              ? "stands at the top of a file that holds other things too; put it under `mcpServers`"
              : `stands outside \`${format}\``,
          ),
        );
  const left = rest.map((m) => m.key);
  if (entries.length === 0)
    diagnostics.push(
      report(
        "import/no-servers",
        { file: json.file },
        root === null ? {} : { at: json.span(root) },
      ),
    );
  else if (format !== null && left.length > 0)
    diagnostics.push(
      report(
        "import/read-from",
        { wrapper: format, left },
        {
          at:
            wrappers[0] === undefined
              ? null
              : json.span(wrappers[0].top.keyNode),
        },
      ),
    );
  return {
    format: format ?? "none",
    entries: switchedOff(root, entries),
    defaults: new Set(
      items(member(root, "inputs")).flatMap((input) => {
        const id = member(input, "id");
        return id !== null && member(input, "default") !== null
          ? [json.textOf(id)]
          : [];
      }),
    ),
    diagnostics,
  };
}

const entry = (m: Member, group: string, stray: string | null): FoundEntry => ({
  name: m.key,
  group,
  nameNode: m.keyNode,
  node: m.value,
  stray,
  off: null,
});

/** Members at the top that hold servers, each with the nodes in which they lie: several when a key is repeated. */
function findWrappers(top: readonly Member[]): readonly Wrapper[] {
  const out: Wrapper[] = [];
  for (const m of top) {
    const holders: [SourceFormat, JsonNode | null][] =
      m.key === "mcpServers" || m.key.endsWith(".mcpServers")
        ? [["mcpServers", m.value]]
        : m.key === "servers" && holdsServers(m.value)
          ? [["servers", m.value]]
          : m.key === "mcp"
            ? [
                ["mcp.servers", member(m.value, "servers")],
                ["mcp.mcpServers", member(m.value, "mcpServers")],
              ]
            : [];
    for (const [format, node] of holders) {
      if (node === null) continue;
      const same = out.findIndex((w) => w.format === format);
      const known = out[same];
      if (known === undefined) out.push({ format, top: m, nodes: [node] });
      else out[same] = { ...known, top: m, nodes: [...known.nodes, node] };
    }
  }
  return out;
}

const holdsServers = (node: JsonNode): boolean =>
  node.type === "object"
    ? members(node).every((m) => m.value.type !== "array")
    : items(node).every((item) => item.type === "object");

/** The entries of one wrapper: an object by name, or a list whose items have a `name`. */
function inWrapper(wrapper: Wrapper, node: JsonNode): readonly FoundEntry[] {
  const twice =
    wrapper.nodes.length > 1
      ? `stands under \`${wrapper.format}\`, which the file has twice`
      : null;
  if (node.type === "object")
    return members(node).map((m) => entry(m, wrapper.format, twice));
  return items(node).map((item, i) => {
    const name = member(item, "name");
    const known = name?.type === "string";
    return {
      name: known ? String(name.value) : `${wrapper.format}[${i}]`,
      group: wrapper.format,
      nameNode: known ? name : item,
      node: item,
      stray: twice ?? (known ? null : "has no `name`"),
      off: null,
    };
  });
}

const isMisspelt = ({ key, value }: Member): boolean =>
  value.type === "object" &&
  key.toLowerCase().replace(/[_-]/g, "") === "mcpservers";

/** The servers of a file that is nothing but servers by name, beside remarks; or null. */
function asMap(rest: readonly Member[]): readonly Member[] | null {
  const named = rest.filter(
    (m) => !(m.value.type === "string" && /^(?:_|\/\/|\$)/.test(m.key)),
  );
  return named.every((m) => m.value.type === "object") &&
    named.some((m) => looksLikeServer(m.value))
    ? named
    : null;
}

function looksLikeServer(node: JsonNode): boolean {
  const type = member(node, "type")?.value as unknown;
  // A status line or a hook of an agent's settings starts a command too.
  if (type === "command") return false;
  const command = member(node, "command")?.type;
  return (
    command === "string" ||
    command === "array" ||
    member(node, "transport")?.type === "object" ||
    ["url", "httpUrl", "serverUrl"].some(
      (key) => member(node, key)?.type === "string",
    )
  );
}

/** Gemini starts only the servers of `mcp.allowed`, and none of `mcp.excluded`. */
function switchedOff(
  root: JsonNode | null,
  entries: readonly FoundEntry[],
): readonly FoundEntry[] {
  const mcp = member(root, "mcp");
  const names = (key: string): ReadonlySet<unknown> | null => {
    const list = member(mcp, key);
    return list?.type === "array"
      ? new Set(items(list).map((n) => n.value as unknown))
      : null;
  };
  const allowed = names("allowed");
  const excluded = names("excluded");
  return entries.map((found) =>
    excluded?.has(found.name) === true
      ? { ...found, off: "`mcp.excluded` names it" }
      : allowed !== null && !allowed.has(found.name)
        ? { ...found, off: "`mcp.allowed` does not name it" }
        : found,
  );
}
