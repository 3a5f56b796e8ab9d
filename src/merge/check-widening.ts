// A layer that lists more than an outer one allows: the result is right either way (it stays refused), but the person's
// belief would be wrong, so it is said with both positions. Patterns are judged only where containment is decidable.
import { report } from "../diagnostics/catalog.ts";
import type { Diagnostic, Note } from "../diagnostics/diagnostic.ts";
import {
  allowMatches,
  globCovers,
  isPattern,
  refuseMatches,
} from "../match/tool-pattern.ts";
import { LIMIT_NAMES, LIMITS, printQuantity } from "../match/quantity.ts";
import type { ToolLayer } from "../model/model.ts";
import type { LayerEntry } from "./layer.ts";
import { NARROW, writtenLimit } from "./narrow.ts";
import { widerArguments } from "./wider-arguments.ts";

export function checkWidening(
  name: string,
  tools: readonly ToolLayer[],
  layers: readonly LayerEntry[],
): readonly Diagnostic[] {
  const out: Diagnostic[] = [];
  layers.forEach((layer, i) => {
    if (i === 0) return;
    const off = layers.slice(0, i).find((l) => l.entry.enabled === false);
    if (layer.entry.enabled === true && off !== undefined)
      out.push(
        report(
          "merge/cannot-enable",
          { name, layer: off.layer },
          {
            at: layer.at("key", "enabled").at,
            notes: [
              { message: "switched off here", at: off.at("key", "enabled").at },
            ],
          },
        ),
      );
    for (const each of looserLimits(layer, layers.slice(0, i))) out.push(each);
    for (const each of widerArguments(layer, layers.slice(0, i)))
      out.push(each);
    const inner = tools[i];
    if (inner !== undefined)
      for (const each of wider(inner, tools.slice(0, i))) out.push(each);
  });
  return out;
}

/** Limits that an inner layer sets above what already holds. */
const looserLimits = (
  inner: LayerEntry,
  outers: readonly LayerEntry[],
): readonly Diagnostic[] =>
  LIMIT_NAMES.flatMap((name) => {
    const wanted = writtenLimit(inner, name);
    const { value, origin } = NARROW.limits(outers)[name];
    if (wanted === null || wanted <= value) return [];
    return [
      report(
        "merge/limit-not-raised",
        {
          key: `limits.${name}`,
          wanted: printQuantity(wanted, LIMITS[name].kind),
          held: printQuantity(value, LIMITS[name].kind),
        },
        {
          at: inner.at("value", "limits", name).at,
          notes:
            origin === "default"
              ? [
                  {
                    message: "what holds without a line here counts as well",
                    at: outers[0]?.origin.at ?? null,
                  },
                ]
              : [{ message: "set here", at: origin.at }],
        },
      ),
    ];
  });

function wider(
  inner: ToolLayer,
  outers: readonly ToolLayer[],
): readonly Diagnostic[] {
  const rules =
    inner.allow.kind === "only"
      ? inner.allow.rules
      : inner.allow.kind === "all"
        ? [{ text: "all", origin: inner.allow.origin }]
        : [];
  const all = inner.allow.kind === "all";
  return rules.flatMap((rule) => {
    for (const outer of outers) {
      const limit = limitOf(outer, rule.text, all);
      if (limit === null) continue;
      return [
        report(
          "merge/tool-not-allowed",
          { rule: rule.text, layer: outer.layer, wider: limit.wider },
          {
            at: rule.origin.at,
            notes: [limit.note],
            help: limit.wider
              ? "list what is meant by name, or ask the owner of the outer file"
              : `take it out of this list, or ask the owner of the ${outer.layer} file to allow it`,
          },
        ),
      ];
    }
    return [];
  });
}

/** How an outer layer limits a rule, or null. `wider`: only a part of what the rule means is refused. */
function limitOf(
  outer: ToolLayer,
  rule: string,
  all: boolean,
): { wider: boolean; note: Note } | null {
  const pattern = all || isPattern(rule);
  if (!pattern) {
    const denied = outer.deny.find((d) => refuseMatches(d.text, rule));
    if (denied !== undefined)
      return {
        wider: false,
        note: {
          message: `denied here: \`${denied.text}\``,
          at: denied.origin.at,
        },
      };
  }
  const { allow } = outer;
  if (allow.kind !== "only") return null;
  const texts = allow.rules.map((r) => r.text);
  const held = all
    ? false
    : texts.some((t) =>
        pattern ? isPattern(t) && globCovers(t, rule) : allowMatches(t, rule),
      );
  if (held) return null;
  const listed = texts
    .slice(0, 8)
    .map((t) => `\`${t}\``)
    .join(", ");
  const rest = texts.length > 8 ? ", …" : "";
  return {
    wider: pattern,
    note: {
      message:
        texts.length === 0
          ? "nothing is allowed here"
          : `allowed here: ${listed}${rest}`,
      at: allow.origin.at,
    },
  };
}
