// The decision: which calls a server's rules allow, ask about or deny, and who says so. Synchronous, total, pure;
// default deny; the strictest answer of all layers wins. Gateway, guard and `explain` use it; nothing else decides.
import type {
  CommonRules,
  Origin,
  Server,
  Sourced,
  ToolLayer,
} from "../model/model.ts";
import { foldName, PLAIN_TOOL_NAME } from "../match/tool-pattern.ts";
import {
  argumentProblem,
  joinArguments,
  prepareArguments,
  type ArgumentPolicy,
  type CallArguments,
} from "./argument-rules.ts";
import { methodProblem, type MessageKind } from "./method-table.ts";
import {
  allowMatcher,
  refuseMatcher,
  type AllowMatcher,
  type RefuseMatcher,
} from "./tool-matcher.ts";

export type Effect = "allow" | "ask" | "deny";

export interface Reason {
  /**
   * What decided: "tools.allow", "tools.ask", "tools.deny", "enabled", "airGap", "method", "listed-twice", "pin", and of
   * the arguments "private", "paths", "paths.read", "paths.write", "hosts.allow", "hosts.ports", "secrets",
   * "secrets.refuse", "limits.rate".
   */
  readonly rule: string;
  readonly message: string;
  readonly origin: Origin;
}

export interface Decision {
  readonly effect: Effect;
  readonly reasons: readonly [Reason, ...Reason[]];
}

export type Call =
  /** A call of a tool, or its place in a list. */
  | {
      readonly tool: string;
      /** True when the server's own list has the name more than once: nobody can say which of the two would run. */
      readonly listedTwice?: boolean;
      /** How the tool stands to what was pinned; absent when nothing is pinned of the server. */
      readonly pin?: PinFinding;
      /** What a call holds; absent for a tool's place in a list. */
      readonly arguments?: CallArguments;
    }
  /** Any other message of a client. */
  | { readonly kind: MessageKind; readonly method: string };

/** What was pinned of a tool, beside what the server lists now. */
export interface PinFinding {
  /** "new": the server is pinned and this tool is not; "unseen": the server has not listed it yet. */
  readonly state: "same" | "changed" | "new" | "unseen";
  /** Where the pin that decides stands; null: it is the person's own. */
  readonly origin: Origin | null;
}

/** A server's rules, made ready once so that a decision costs the same for one exact name and for a thousand. */
export interface Policy {
  readonly server: string;
  readonly origin: Origin;
  /** What refuses every call, or null. */
  readonly shut: Reason | null;
  readonly layers: readonly PreparedLayer[];
  readonly arguments: ArgumentPolicy;
}

interface PreparedLayer {
  /** What the layer says of a name in `allow`, or null when it says nothing at all. */
  readonly allow: AllowMatcher | null;
  readonly ask: RefuseMatcher;
  readonly deny: RefuseMatcher;
}

/** The rules of a server that nothing else holds for: where only its tool rules are asked about. */
export const NO_COMMON_RULES: CommonRules = {
  airGap: "off",
  private: [],
  secrets: { refuse: [], redact: [] },
  own: { home: "/", folders: [] },
};

/** Makes the rules of a server ready. `rules` is the model, which holds what is said for all servers. */
export function preparePolicy(server: Server, rules: CommonRules): Policy {
  return {
    server: server.name,
    origin: server.origin,
    shut: shutReason(server, rules.airGap),
    layers: server.tools.map((layer, i) => ({
      allow: allowMatcher(
        // Under an outer layer that lists tools, `all` adds no limit: not even that of plain names.
        layer.allow.kind === "all" && server.tools.slice(0, i).some(lists)
          ? { kind: "silent" }
          : layer.allow,
      ),
      ask: refuseMatcher(layer.ask, "ask"),
      deny: refuseMatcher(layer.deny, "deny"),
    })),
    arguments: prepareArguments(server, rules),
  };
}

const lists = ({ allow }: ToolLayer): boolean => allow.kind !== "silent";

/**
 * The policy that holds after an edit while a door is open: never wider than the one it started with. `edited` is what
 * the files say now, or null when the server is no longer in them.
 */
export function tightenPolicy(start: Policy, edited: Policy | null): Policy {
  const removed: Reason = {
    rule: "removed",
    message: `\`${start.server}\` is no longer listed`,
    origin: start.origin,
  };
  return {
    ...start,
    shut: start.shut ?? (edited === null ? removed : shutOrSilent(edited)),
    layers: [...start.layers, ...(edited?.layers ?? [])],
    arguments:
      edited === null
        ? start.arguments
        : joinArguments(start.arguments, edited.arguments),
  };
}

/** A policy whose layers list no tool allows nothing; beside another's layers that has to be said. */
const shutOrSilent = (policy: Policy): Reason | null =>
  policy.shut ??
  (policy.layers.some((layer) => layer.allow !== null)
    ? null
    : because("tools.allow", "nothing allows it", policy.origin));

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

const RANK: Readonly<Record<Effect, number>> = { allow: 0, ask: 1, deny: 2 };

/** Decides one call. The reasons are those of the strictest effect; for `allow` one of each layer that lists tools. */
export function decide(policy: Policy, call: Call): Decision {
  if (policy.shut !== null) return { effect: "deny", reasons: [policy.shut] };
  if (!("tool" in call)) return decideMethod(policy, call.kind, call.method);
  if (call.listedTwice === true)
    return refuse(
      because(
        "listed-twice",
        "the server lists two tools of that name",
        policy.origin,
      ),
    );
  const name = call.tool;
  const folded = foldName(name);
  const plain = PLAIN_TOOL_NAME.test(name);
  let effect: Effect = "allow";
  let reasons: Reason[] = [];
  let answered = false;
  for (const layer of policy.layers) {
    if (layer.allow !== null) answered = true;
    const reason = decideLayer(layer, name, folded, plain);
    if (reason === null) continue;
    if (RANK[reason.effect] > RANK[effect])
      [effect, reasons] = [reason.effect, []];
    if (reason.effect === effect) reasons.push(reason.reason);
  }
  const [first, ...rest] = reasons;
  if (answered && first !== undefined) {
    if (effect === "deny") return { effect, reasons: [first, ...rest] };
    const pin = pinProblem(policy, call.pin);
    if (pin !== null) return refuse(pin);
    const decision: Decision = { effect, reasons: [first, ...rest] };
    return call.arguments === undefined
      ? decision
      : decideArguments(policy, decision, name, call.arguments);
  }
  // No layer lists tools: the merge makes no such server, and if it did, nothing would be allowed.
  return refuse(
    first ?? because("tools.allow", "nothing allows it", policy.origin),
  );
}

/** What becomes of a decision about a tool with the arguments of one call. */
export function decideArguments(
  policy: Policy,
  decision: Decision,
  tool: string,
  found: CallArguments,
): Decision {
  if (decision.effect === "deny") return decision;
  const problem = argumentProblem(policy.arguments, policy.origin, tool, found);
  return problem === null ? decision : refuse(problem);
}

function pinProblem(
  { server, origin }: Policy,
  pin: PinFinding | undefined,
): Reason | null {
  if (pin === undefined || pin.state === "same") return null;
  const look = `\`fenzi mcp tools ${server}\` shows it, \`fenzi mcp pin ${server}\` accepts it`;
  const message = {
    changed: `its definition is not the pinned one; ${look}`,
    new: `it is not among the pinned tools; ${look}`,
    unseen: "it is pinned and was not listed yet; list the tools first",
  }[pin.state];
  return because("pin", message, pin.origin ?? origin);
}

function decideMethod(
  policy: Policy,
  kind: MessageKind,
  method: string,
): Decision {
  const problem = methodProblem(kind, method);
  const reason = because(
    "method",
    problem ?? "needed to connect and to list tools",
    policy.origin,
  );
  return problem === null
    ? { effect: "allow", reasons: [reason] }
    : refuse(reason);
}

const refuse = (reason: Reason): Decision => ({
  effect: "deny",
  reasons: [reason],
});

function decideLayer(
  layer: PreparedLayer,
  name: string,
  folded: string,
  plain: boolean,
): { readonly effect: Effect; readonly reason: Reason } | null {
  const denied = layer.deny(name, folded, plain);
  if (denied !== null) return denied;
  const allowed = layer.allow === null ? null : layer.allow(name, plain);
  if (allowed?.effect === "deny") return allowed;
  return layer.ask(name, folded, plain) ?? allowed;
}

const because = (rule: string, message: string, origin: Origin): Reason => ({
  rule,
  message,
  origin,
});
