// The tool rules of one layer, made ready: what a name meets there, with the reason made beforehand, so that a decision
// neither builds texts nor walks a list of exact names.
import type { Allow, Origin, ToolRule } from "../model/model.ts";
import { foldName, isPattern } from "../match/tool-pattern.ts";
import { patternSet } from "./pattern-set.ts";

interface Said<E> {
  readonly effect: E;
  readonly reason: {
    readonly rule: string;
    readonly message: string;
    readonly origin: Origin;
  };
}

/** `plain`: the name has only characters that patterns and `all` cover. */
export type AllowMatcher = (
  name: string,
  plain: boolean,
) => Said<"allow" | "deny">;

/** The first rule that matches a name, exactly or folded, or null. */
export type RefuseMatcher = (
  name: string,
  folded: string,
  plain: boolean,
) => Said<"ask" | "deny"> | null;

const say = <E>(
  effect: E,
  rule: string,
  message: string,
  origin: Origin,
): Said<E> => ({ effect, reason: { rule, message, origin } });

/** `allow` compares exactly. Null for a layer that says nothing. */
export function allowMatcher(allow: Allow): AllowMatcher | null {
  if (allow.kind === "silent") return null;
  const answer = (effect: "allow" | "deny", message: string, origin: Origin) =>
    say(effect, "tools.allow", message, origin);
  if (allow.kind === "all") {
    const yes = answer("allow", "all tools are allowed", allow.origin);
    const odd = answer(
      "deny",
      "`all` covers only names of letters, digits, `_`, `.` and `-`",
      allow.origin,
    );
    return (_name, plain) => (plain ? yes : odd);
  }
  const yes = (rule: ToolRule) =>
    answer("allow", `\`${rule.text}\` allows it`, rule.origin);
  const exact = new Map(
    allow.rules
      .filter((rule) => !isPattern(rule.text))
      .map((rule) => [rule.text, yes(rule)]),
  );
  const patterns = patternSet(
    allow.rules
      .filter((rule) => isPattern(rule.text))
      .map((rule) => ({ pattern: rule.text, value: yes(rule) })),
  );
  const none = answer(
    "deny",
    allow.rules.length === 0 ? "no tool is allowed here" : "no entry allows it",
    allow.origin,
  );
  return (name, plain) =>
    exact.get(name) ?? (plain ? patterns.find(name) : null) ?? none;
}

/** `deny` and `ask` compare exactly and folded. */
export function refuseMatcher(
  rules: readonly ToolRule[],
  effect: "ask" | "deny",
): RefuseMatcher {
  if (rules.length === 0) return () => null;
  const words = effect === "deny" ? "denies it" : "asks for it";
  const entries = rules.map((rule) => ({
    text: rule.text,
    folded: foldName(rule.text),
    said: say(
      effect,
      `tools.${effect}`,
      `\`${rule.text}\` ${words}`,
      rule.origin,
    ),
  }));
  const exact = new Map<string, Said<"ask" | "deny">>();
  const exactFolded = new Map<string, Said<"ask" | "deny">>();
  for (const { text, folded, said } of entries) {
    if (isPattern(text)) continue;
    if (!exact.has(text)) exact.set(text, said);
    if (!exactFolded.has(folded)) exactFolded.set(folded, said);
  }
  const patterns = entries.filter(({ text }) => isPattern(text));
  const asWritten = patternSet(
    patterns.map(({ text, said }) => ({ pattern: text, value: said })),
  );
  const folded = patternSet(
    patterns.map((p) => ({ pattern: p.folded, value: p.said })),
  );
  return (name, foldedName, plain) =>
    exact.get(name) ??
    exactFolded.get(foldedName) ??
    folded.find(foldedName) ??
    // A pattern that matches a plain name as written matches it folded too: both are then plain ASCII.
    (plain ? null : asWritten.find(name));
}
