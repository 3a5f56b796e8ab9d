// The rules of all layers as one agent's own filter can say them: never wider than `decide`. A rule that cannot be said
// is handed back, so that it becomes a warning with its place.
import {
  foldName,
  globCovers,
  globMatches,
  globsMeet,
  isPattern,
} from "../match/tool-pattern.ts";
import type { Delivered, Filter, FilterReach } from "../model/delivered.ts";
import type { Server, ToolRule } from "../model/model.ts";
import { decide, preparePolicy, type Effect } from "../policy/decide.ts";

type LeftOut = Delivered["leftOut"];

/** Computes an agent's filter for a server. Texts of the result are in the server's spelling. */
export function flattenRules(
  server: Server,
  reach: FilterReach,
): { readonly filter: Filter; readonly leftOut: LeftOut } {
  const asks = server.tools.flatMap((layer) => layer.ask);
  const denies = server.tools.flatMap((layer) => layer.deny);
  const limits = server.tools.flatMap((layer) =>
    layer.allow.kind === "only" ? [layer.allow.rules] : [],
  );
  const names = judgeNames(
    server,
    [
      ...limits.flat().map((rule) => rule.text),
      ...[...asks, ...denies].flatMap(variants),
    ],
    asks,
    denies,
    reach,
  );

  // Beyond single names the base is everything, or the patterns that are certainly inside every layer.
  const everything = limits.length === 0;
  const common = everything ? [] : commonPatterns(limits);
  const meetsBase = (rule: ToolRule) =>
    everything ||
    common.some((p) => globsMeet(foldName(p.text), foldName(rule.text)));
  const insideBase = (text: string) =>
    everything || common.some((p) => globCovers(p.text, text));
  /** Asking outside the base would offer what is refused; leaving out a spelling that touches it would not ask. */
  const laidOnBase = (rule: ToolRule) =>
    everything ||
    (variants(rule).some(insideBase) &&
      variants(rule).every(
        (text) =>
          insideBase(text) || !common.some((p) => globsMeet(p.text, text)),
      ));
  // A base is of use only when every refusing pattern that touches it can be laid on it.
  const hindering = [
    ...denies
      .filter(
        (r) => isPattern(r.text) && meetsBase(r) && reach.deny === "exact",
      )
      .map((rule) => ({ effect: "deny" as const, rule })),
    ...asks
      .filter(
        (r) =>
          isPattern(r.text) &&
          meetsBase(r) &&
          (reach.ask === "exact" || !laidOnBase(r)),
      )
      .map((rule) => ({ effect: "ask" as const, rule })),
  ];
  const wide = hindering.length === 0;
  const sayable = common.filter(
    (rule) =>
      (reach.allow === "pattern" ||
        (reach.allow === "prefix" && /^[^*]*\*+$/.test(rule.text))) &&
      spell(rule.text, reach) === rule.text,
  );
  const patterns = wide ? sayable : [];
  const based = wide && (everything || patterns.length > 0);

  const leftOut: LeftOut = [
    ...hindering,
    ...(wide ? common.filter((rule) => !sayable.includes(rule)) : []).map(
      (rule) => ({ effect: "allow" as const, rule }),
    ),
    ...limits
      .flat()
      .filter((rule) => names.get(rule.text)?.met === true)
      .map((rule) => ({ effect: "allow" as const, rule })),
  ];
  const named = (effect: Effect) =>
    [...names].filter(([, n]) => n.effect === effect).map(([name]) => name);
  const askPatterns = based
    ? asks
        .filter((r) => isPattern(r.text))
        .flatMap(variants)
        .filter(insideBase)
    : [];
  const refused = denies
    .filter((r) => !isPattern(r.text) || reach.deny === "pattern")
    .flatMap(variants);
  return {
    filter: {
      everything: everything && wide,
      allow: sorted([...named("allow"), ...patterns.map((r) => r.text)]),
      ask: sorted([...named("ask"), ...askPatterns]),
      // A name that stands in the files and is refused for another reason than a deny rule (its form, another layer, a
      // spelling that only folding finds) must not pass by the base.
      deny: sorted([...refused, ...(based ? named("deny") : [])]),
    },
    leftOut: unique(leftOut),
  };
}

/** Agents compare case; `deny` and `ask` here do not. The folded form catches a rule that was written in capitals. */
const variants = (rule: ToolRule): readonly string[] => [
  rule.text,
  foldName(rule.text),
];

const spell = (text: string, reach: FilterReach): string => {
  const { kept } = reach;
  return kept === null
    ? text
    : [...text].map((c) => (c === "*" || kept.test(c) ? c : "_")).join("");
};

/**
 * Every name that stands in the files, with its effect in the agent's spelling: where an allowed and a refused name
 * meet there, refused (`met` says that this happened).
 */
function judgeNames(
  server: Server,
  texts: readonly string[],
  asks: readonly ToolRule[],
  denies: readonly ToolRule[],
  reach: FilterReach,
): ReadonlyMap<string, { readonly effect: Effect; readonly met: boolean }> {
  const policy = preparePolicy(server, "off");
  const listed = [...new Set(texts.filter((text) => !isPattern(text)))];
  const own = new Map(
    listed.map((name) => [name, decide(policy, { tool: name }).effect]),
  );
  const hit = (list: readonly ToolRule[], spelled: string) =>
    list.some(
      (r) =>
        isPattern(r.text) &&
        globMatches(foldName(spell(r.text, reach)), foldName(spelled)),
    );
  return new Map(
    listed.map((name) => {
      const spelled = spell(name, reach);
      const meeting = listed
        .filter((other) => spell(other, reach) === spelled)
        .map((other) => own.get(other) ?? "deny");
      const effect: Effect =
        meeting.includes("deny") || hit(denies, spelled)
          ? "deny"
          : meeting.includes("ask") || hit(asks, spelled)
            ? "ask"
            : "allow";
      return [
        name,
        { effect, met: effect === "deny" && own.get(name) !== "deny" },
      ];
    }),
  );
}

/** The patterns that are certainly inside every layer that lists tools, each once. */
function commonPatterns(
  limits: readonly (readonly ToolRule[])[],
): readonly ToolRule[] {
  const all = limits.flat().filter((r) => isPattern(r.text));
  return all.filter(
    (rule, i) =>
      limits.every((rules) =>
        rules.some((r) => isPattern(r.text) && globCovers(r.text, rule.text)),
      ) && all.findIndex((other) => other.text === rule.text) === i,
  );
}

const sorted = (texts: readonly string[]): readonly string[] =>
  [...new Set(texts)].sort();

function unique(list: LeftOut): LeftOut {
  const seen = new Set<string>();
  return list.filter(({ effect, rule }) => {
    const key = JSON.stringify([
      effect,
      rule.text,
      rule.origin.at.file,
      rule.origin.at.start.offset,
    ]);
    return seen.has(key) ? false : (seen.add(key), true);
  });
}
