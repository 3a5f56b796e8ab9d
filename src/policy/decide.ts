// The decision: which calls a server's rules allow, ask about or deny, and who says so. Synchronous, total, pure;
// default deny; the strictest answer of all layers wins. Gateway, guard and `explain` use it; nothing else decides.
import type {
  Allow,
  Origin,
  Server,
  Sourced,
  ToolLayer,
  ToolRule,
} from "../model/model.ts";
import {
  allowMatches,
  foldName,
  globMatches,
  isPattern,
} from "../match/tool-pattern.ts";

export type Effect = "allow" | "ask" | "deny";

export interface Reason {
  /** The key that decided: "tools.allow", "tools.ask", "tools.deny", "enabled", "airGap". */
  readonly rule: string;
  readonly message: string;
  readonly origin: Origin;
}

export interface Decision {
  readonly effect: Effect;
  readonly reasons: readonly [Reason, ...Reason[]];
}

export interface Call {
  readonly tool: string;
}

/** A server's rules, made ready once so that a decision costs the same for one exact name and for a thousand. */
export interface Policy {
  readonly server: string;
  readonly origin: Origin;
  /** What refuses every call, or null. */
  readonly shut: Reason | null;
  readonly layers: readonly PreparedLayer[];
}

interface PreparedLayer {
  /** What the layer says of a name in `allow`, or null when it says nothing at all. */
  readonly allow:
    | ((name: string) => { readonly effect: Effect; readonly reason: Reason })
    | null;
  readonly ask: Matcher;
  readonly deny: Matcher;
}

/** Finds the first rule that matches a name, or null. */
type Matcher = (name: string, folded: string) => ToolRule | null;

/** Makes the rules of a server ready. `airGap` is the model's setting. */
export function preparePolicy(
  server: Server,
  airGap: Sourced<boolean> | "off",
): Policy {
  return {
    server: server.name,
    origin: server.origin,
    shut: shutReason(server, airGap),
    layers: server.tools.map((layer, i) => ({
      allow: prepareAllow(
        // Under an outer layer that lists tools, `all` adds no limit: not even that of plain names.
        layer.allow.kind === "all" && server.tools.slice(0, i).some(lists)
          ? { kind: "silent" }
          : layer.allow,
      ),
      ask: refuseMatcher(layer.ask),
      deny: refuseMatcher(layer.deny),
    })),
  };
}

const lists = ({ allow }: ToolLayer): boolean => allow.kind !== "silent";

function shutReason(
  server: Server,
  airGap: Sourced<boolean> | "off",
): Reason | null {
  if (!server.enabled.value)
    return {
      rule: "enabled",
      message: `\`${server.name}\` is switched off`,
      origin: server.enabled.origin,
    };
  const { transport } = server;
  if (
    airGap !== "off" &&
    airGap.value &&
    transport.kind === "http" &&
    !transport.loopback
  )
    return {
      rule: "airGap",
      message: `\`${server.name}\` is not on this machine, and \`airGap\` is on`,
      origin: airGap.origin,
    };
  return null;
}

function prepareAllow(allow: Allow): PreparedLayer["allow"] {
  if (allow.kind === "silent") return null;
  const answer = (effect: Effect, message: string, origin: Origin) => ({
    effect,
    reason: because("tools.allow", message, origin),
  });
  if (allow.kind === "all")
    return (name) =>
      allowMatches("*", name)
        ? answer("allow", "all tools are allowed", allow.origin)
        : answer(
            "deny",
            "`all` covers only names of letters, digits, `_`, `.` and `-`",
            allow.origin,
          );
  const patterns = allow.rules.filter((rule) => isPattern(rule.text));
  // A tool whose own name has a `*` is no plain name, so the pattern of the same text does not cover it.
  const exact = new Map(
    allow.rules
      .filter((rule) => !isPattern(rule.text))
      .map((rule) => [rule.text, rule]),
  );
  const none = answer(
    "deny",
    allow.rules.length === 0 ? "no tool is allowed here" : "no entry allows it",
    allow.origin,
  );
  return (name) => {
    const rule =
      exact.get(name) ?? patterns.find((p) => allowMatches(p.text, name));
    return rule === undefined
      ? none
      : answer("allow", `\`${rule.text}\` allows it`, rule.origin);
  };
}

function refuseMatcher(rules: readonly ToolRule[]): Matcher {
  const exact = new Map<string, ToolRule>();
  const patterns: { rule: ToolRule; folded: string }[] = [];
  for (const rule of rules) {
    const folded = foldName(rule.text);
    if (isPattern(rule.text)) patterns.push({ rule, folded });
    else
      for (const key of [`=${rule.text}`, `~${folded}`])
        if (!exact.has(key)) exact.set(key, rule);
  }
  return (name, folded) =>
    exact.get(`=${name}`) ??
    exact.get(`~${folded}`) ??
    patterns.find(
      (p) => globMatches(p.rule.text, name) || globMatches(p.folded, folded),
    )?.rule ??
    null;
}

const RANK: Readonly<Record<Effect, number>> = { allow: 0, ask: 1, deny: 2 };

/** Decides one call. The reasons are those of the strictest effect; for `allow` one of each layer that lists tools. */
export function decide(policy: Policy, call: Call): Decision {
  if (policy.shut !== null) return { effect: "deny", reasons: [policy.shut] };
  const folded = foldName(call.tool);
  let effect: Effect = "allow";
  let reasons: Reason[] = [];
  let answered = false;
  for (const prepared of policy.layers) {
    const answer = decideLayer(prepared, call.tool, folded);
    if (answer === null) continue;
    answered ||= answer.listed;
    if (RANK[answer.effect] > RANK[effect])
      [effect, reasons] = [answer.effect, []];
    if (answer.effect === effect) reasons.push(answer.reason);
  }
  const [first, ...rest] = reasons;
  if (answered && first !== undefined)
    return { effect, reasons: [first, ...rest] };
  // No layer lists tools: the merge makes no such server, and if it did, nothing would be allowed.
  return {
    effect: "deny",
    reasons: [
      first ?? because("tools.allow", "nothing allows it", policy.origin),
    ],
  };
}

interface LayerAnswer {
  readonly effect: Effect;
  readonly reason: Reason;
  /** True when the layer says which tools are allowed. */
  readonly listed: boolean;
}

function decideLayer(
  layer: PreparedLayer,
  name: string,
  folded: string,
): LayerAnswer | null {
  const listed = layer.allow !== null;
  const denied = layer.deny(name, folded);
  if (denied !== null)
    return {
      effect: "deny",
      listed,
      reason: because(
        "tools.deny",
        `\`${denied.text}\` denies it`,
        denied.origin,
      ),
    };
  const allowed = layer.allow?.(name) ?? null;
  if (allowed?.effect === "deny") return { ...allowed, listed };
  const asked = layer.ask(name, folded);
  if (asked !== null)
    return {
      effect: "ask",
      listed,
      reason: because(
        "tools.ask",
        `\`${asked.text}\` asks for it`,
        asked.origin,
      ),
    };
  return allowed === null ? null : { ...allowed, listed };
}

const because = (rule: string, message: string, origin: Origin): Reason => ({
  rule,
  message,
  origin,
});
