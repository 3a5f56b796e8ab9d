// One server over its layers: the outermost entry with a transport defines it, the others narrow it.
import { report } from "../diagnostics/catalog.ts";
import {
  hasErrors,
  type Diagnostic,
  type Result,
} from "../diagnostics/diagnostic.ts";
import { LIMIT_NAMES } from "../match/quantity.ts";
import { parseTemplate } from "../match/template.ts";
import { parseConfiguredUrl } from "../match/socket-url.ts";
import type {
  Isolation,
  NamedTemplate,
  Narrowing,
  Server,
  Template,
  ToolLayer,
  Transport,
} from "../model/model.ts";
import { argumentRules } from "./argument-rules.ts";
import { checkIdentity } from "./check-identity.ts";
import { checkOuterOnly } from "./check-outer-only.ts";
import { checkWidening } from "./check-widening.ts";
import type { LayerEntry } from "./layer.ts";
import { NARROW } from "./narrow.ts";

/** Null without an error when no layer gives a transport. `layers` is outermost first. */
export function mergeServer(
  name: string,
  layers: readonly LayerEntry[],
): Result<Server> {
  const at = layers.findIndex(
    (l) => l.entry.url !== undefined || l.entry.command !== undefined,
  );
  const defining = layers[at];
  if (defining === undefined) return { value: null, diagnostics: [] };
  const diagnostics: Diagnostic[] = layers.slice(0, at).map((outer) =>
    report(
      "merge/nothing-to-narrow",
      { name, nearest: null },
      {
        at: outer.origin.at,
        notes: [
          {
            message: "only this inner file defines it",
            at: defining.origin.at,
          },
        ],
      },
    ),
  );
  for (const each of checkOuterOnly(name, defining)) diagnostics.push(each);
  const inner = layers.slice(at + 1);
  for (const layer of inner)
    for (const each of checkIdentity(name, defining, layer))
      diagnostics.push(each);
  const tools = [defining, ...inner].map((layer) =>
    toolLayer(layer, layer === defining),
  );
  for (const each of noTools(name, defining)) diagnostics.push(each);
  const enabled = NARROW.enabled(layers.slice(at));
  for (const each of checkWidening(name, tools, layers.slice(at)))
    diagnostics.push(each);
  if (hasErrors(diagnostics)) return { value: null, diagnostics };
  return {
    value: {
      name,
      origin: defining.origin,
      transport: transportOf(defining),
      enabled,
      tools,
      limits: NARROW.limits(layers.slice(at)),
      ...argumentRules(defining, inner),
      narrowedBy: inner.flatMap(narrowings),
    },
    diagnostics,
  };
}

/**
 * What a layer says about tools. Only the layer that gives the transport has a default: a remote server without a list
 * has no tool, a local one has all.
 */
function toolLayer(layer: LayerEntry, defines: boolean): ToolLayer {
  const { entry } = layer;
  const tools = entry.tools === "all" ? { allow: "all" as const } : entry.tools;
  const rules = (list: "ask" | "deny") =>
    (tools?.[list] ?? []).map((text, i) => ({
      text,
      origin: layer.at("value", "tools", list, i),
    }));
  const base = { layer: layer.layer, ask: rules("ask"), deny: rules("deny") };
  if (tools?.allow === "all")
    return {
      ...base,
      allow: {
        kind: "all",
        origin:
          entry.tools === "all"
            ? layer.at("key", "tools")
            : layer.at("key", "tools", "allow"),
      },
    };
  if (tools?.allow !== undefined)
    return {
      ...base,
      allow: {
        kind: "only",
        rules: tools.allow.map((text, i) => ({
          text,
          origin: layer.at("value", "tools", "allow", i),
        })),
        origin: layer.at("key", "tools", "allow"),
      },
    };
  if (!defines) return { ...base, allow: { kind: "silent" } };
  return {
    ...base,
    allow:
      entry.url === undefined
        ? { kind: "all", origin: layer.origin }
        : { kind: "only", rules: [], origin: layer.origin },
  };
}

/** A remote server without a list: only the layer that defines it can mean that, an inner one says nothing. */
function noTools(name: string, { entry, at, origin }: LayerEntry) {
  const { url, tools } = entry;
  const listed =
    tools === "all" || (tools !== undefined && tools.allow !== undefined);
  return url === undefined || listed
    ? []
    : [
        report(
          "server/no-tools",
          { name },
          {
            at: tools === undefined ? origin.at : at("key", "tools").at,
            help: "list them under `tools.allow`, or write `tools: all`",
          },
        ),
      ];
}

function narrowings(layer: LayerEntry): readonly Narrowing[] {
  const { entry } = layer;
  const out: Narrowing[] = [];
  if (entry.enabled === false)
    out.push({ origin: layer.at("key", "enabled"), what: "enabled" });
  if (typeof entry.tools === "object")
    for (const list of ["allow", "ask", "deny"] as const) {
      const rules = entry.tools[list];
      if (
        rules !== undefined &&
        rules !== "all" &&
        (list === "allow" || rules.length > 0)
      )
        out.push({
          origin: layer.at("key", "tools", list),
          what: `tools.${list}`,
        });
    }
  for (const [key, more] of [
    ["paths", ["read", "write"]],
    ["hosts", ["allow", "ports"]],
  ] as const) {
    const said: Readonly<Record<string, unknown>> = entry[key] ?? {};
    for (const member of more)
      if (said[member] !== undefined)
        out.push({
          origin: layer.at("key", key, member),
          what: `${key}.${member}`,
        });
  }
  for (const name of [...LIMIT_NAMES, "rate"] as const)
    if (entry.limits?.[name] !== undefined)
      out.push({
        origin: layer.at("key", "limits", name),
        what: `limits.${name}`,
      });
  return out;
}

function transportOf(layer: LayerEntry): Transport {
  const { entry } = layer;
  if (entry.url !== undefined) {
    const parsed = parseConfiguredUrl(entry.url);
    if ("problem" in parsed)
      throw new TypeError("a URL that validation refused came to the merge");
    return {
      kind: "http",
      ...parsed.value,
      systemSocket: entry.allowSystemSocket === true,
      headers: named(layer, "headers"),
      token:
        entry.token === undefined
          ? { kind: "none" }
          : entry.token === true
            ? { kind: "bearer", origin: layer.at("key", "token") }
            : {
                kind: "header",
                header: entry.token.header,
                origin: layer.at("key", "token"),
              },
      origin: layer.at("value", "url"),
    };
  }
  return {
    kind: "stdio",
    command: (entry.command ?? []).map((word, i) => ({
      value: template(word),
      origin: layer.at("value", "command", i),
    })),
    env: named(layer, "env"),
    cwd:
      entry.cwd === undefined
        ? "default"
        : entry.cwd === "project"
          ? { project: true, origin: layer.at("value", "cwd") }
          : { value: entry.cwd, origin: layer.at("value", "cwd") },
    isolation: isolationOf(layer),
    origin: layer.at("key", "command"),
  };
}

function isolationOf(layer: LayerEntry): Isolation {
  const { isolation } = layer.entry;
  if (isolation === undefined || isolation === "none") return { kind: "none" };
  const origin = layer.at("key", "isolation");
  if (isolation === "bubblewrap") return { kind: "bubblewrap", origin };
  const { image, network = "none", readOnly = true } = isolation;
  return { kind: "container", image, network, readOnly, origin };
}

/** Sorted by name, so that the order in the file changes nothing. */
const named = (
  layer: LayerEntry,
  member: "env" | "headers",
): readonly NamedTemplate[] =>
  Object.entries(layer.entry[member] ?? {})
    .map(([name, text]) => ({
      name,
      value: template(text),
      origin: layer.at("value", member, name),
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));

function template(text: string): Template {
  const parsed = parseTemplate(text);
  if ("error" in parsed)
    throw new TypeError(
      "a reference that validation refused came to the merge",
    );
  return parsed.template;
}
