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
import {
  decide,
  NO_COMMON_RULES,
  preparePolicy,
  type Effect,
} from "../policy/decide.ts";

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

  // Beyond single names the base is everything, or the patterns that are certainly inside every layer and that mean the
  // same to the agent.
  const everything = limits.length === 0;
  const common = everything ? [] : commonPatterns(limits);
  const base = common.filter((rule) => canSay(rule.text, reach));
  const meetsBase = (text: string) =>
    everything || base.some((p) => globsMeet(p.text, text));
  const insideBase = (text: string) =>
    everything || base.some((p) => globCovers(p.text, text));
  const folded = base.map((p) => foldName(p.text));
  const touchesBase = (rule: ToolRule) => {
    const seen = foldName(spell(rule.text, reach));
    return everything || folded.some((text) => globsMeet(text, seen));
  };
  /** Asking outside the base would offer what is refused; leaving out a spelling that touches it would not ask. */
  const laidOnBase = (rule: ToolRule) => {
    const seen = variants(rule).map((text) => spell(text, reach));
    return (
      seen.some(insideBase) &&
      seen.every((text) => insideBase(text) || !meetsBase(text))
    );
  };
  // A base is of use only when every refusing pattern that touches it can be laid on it.
  const hindering = [
    ...denies
      .filter((r) => isPattern(r.text) && reach.deny === "exact")
      .filter(touchesBase)
      .map((rule) => ({ effect: "deny" as const, rule })),
    ...asks
      .filter((r) => isPattern(r.text) && touchesBase(r))
      .filter((r) => reach.ask === "exact" || !laidOnBase(r))
      .map((rule) => ({ effect: "ask" as const, rule })),
  ];
  const wide = hindering.length === 0;
  const patterns = wide ? base : [];
  const based = wide && (everything || patterns.length > 0);

  const leftOut: LeftOut = [
    ...hindering,
    ...[
      ...common.filter((rule) => !base.includes(rule)),
      ...crossing(limits),
      ...limits.flat().filter((rule) => names.get(rule.text)?.met === true),
    ].map((rule) => ({ effect: "allow" as const, rule })),
  ];
  const named = (effect: Effect) =>
    [...names].filter(([, n]) => n.effect === effect).map(([name]) => name);
  const askPatterns = based
    ? asks
        .filter((r) => isPattern(r.text))
        .flatMap(variants)
        .filter((text) => insideBase(spell(text, reach)))
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

/** Whether an allow pattern means the same to the agent as to the server. */
const canSay = (text: string, reach: FilterReach): boolean =>
  (reach.allow === "pattern" ||
    (reach.allow === "prefix" && /^[^*]*\*+$/.test(text))) &&
  spell(text, reach) === text;

/** Agents compare case; `deny` and `ask` here do not. The folded form catches a rule that was written in capitals. */
const variants = (rule: ToolRule): readonly string[] => [
  rule.text,
  foldName(rule.text),
];

/** Agents put one `_` for each UTF-16 unit that they do not keep. */
const spell = (text: string, reach: FilterReach): string => {
  const { kept } = reach;
  return kept === null
    ? text
    : text.replace(/[^]/g, (c) => (c === "*" || kept.test(c) ? c : "_"));
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
  const policy = preparePolicy(server, NO_COMMON_RULES);
  const listed = [...new Set(texts.filter((text) => !isPattern(text)))].map(
    (name) => ({
      name,
      spelled: spell(name, reach),
      own: decide(policy, { tool: name }).effect,
    }),
  );
  const meeting = new Map<string, Effect>();
  for (const { spelled, own } of listed)
    meeting.set(spelled, stricter(own, meeting.get(spelled) ?? "allow"));
  const touching = (rules: readonly ToolRule[]) =>
    rules
      .filter((r) => isPattern(r.text))
      .map((r) => foldName(spell(r.text, reach)));
  const hit = (patterns: readonly string[], folded: string) =>
    patterns.some((pattern) => globMatches(pattern, folded));
  const [denying, asking] = [touching(denies), touching(asks)];
  return new Map(
    listed.map(({ name, spelled, own }) => {
      const met = meeting.get(spelled) ?? own;
      const folded = foldName(spelled);
      const effect = hit(denying, folded)
        ? "deny"
        : hit(asking, folded)
          ? stricter(met, "ask")
          : met;
      return [name, { effect, met: effect === "deny" && own !== "deny" }];
    }),
  );
}

const RANK: readonly Effect[] = ["allow", "ask", "deny"];

const stricter = (a: Effect, b: Effect): Effect =>
  RANK.indexOf(a) >= RANK.indexOf(b) ? a : b;

/** The patterns that are certainly inside every layer that lists tools, each once. */
function commonPatterns(
  limits: readonly (readonly ToolRule[])[],
): readonly ToolRule[] {
  const patterns = limits.map((rules) =>
    rules.filter((r) => isPattern(r.text)),
  );
  const texts = patterns.map((rules) => new Set(rules.map((r) => r.text)));
  const seen = new Set<string>();
  return patterns
    .flat()
    .filter(({ text }) => !seen.has(text) && seen.add(text))
    .filter(({ text }) =>
      patterns.every(
        (rules, i) =>
          texts[i]?.has(text) === true ||
          rules.some((r) => globCovers(r.text, text)),
      ),
    );
}

/** Patterns of two layers that meet while neither is inside the other: no pattern says what both allow. */
const crossing = (
  limits: readonly (readonly ToolRule[])[],
): readonly ToolRule[] =>
  limits.flat().filter(({ text }) => {
    const met = limits.map((rules) =>
      rules.filter((r) => globsMeet(r.text, text)),
    );
    return (
      isPattern(text) &&
      met.every((rules) => rules.length > 0) &&
      met
        .flat()
        .some((r) => !globCovers(r.text, text) && !globCovers(text, r.text))
    );
  });

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
