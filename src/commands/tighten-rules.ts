// What an edit of the files means for a gateway that is running: the strictest of what they said at its start and of
// what they say now. Wider waits for a new start; a file with an error changes nothing.
import { given } from "../deliver/deliver.ts";
import type { CallLimits } from "../gateway/gate.ts";
import type { GatewayServer } from "../gateway/start-gateway.ts";
import type { Model, Pins, Server, ToolLayer } from "../model/model.ts";
import {
  decide,
  preparePolicy,
  tightenPolicy,
  type Effect,
  type Policy,
} from "../policy/decide.ts";
import { limitsOf, pinsOf } from "../gateway/model-servers.ts";

export interface Rules {
  readonly policy: Policy;
  readonly limits: CallLimits;
  /** Those of the start and those of now: what one of them hides stays hidden. */
  readonly pins: readonly Pins[];
}

export interface Tightened {
  readonly rules: ReadonlyMap<string, Rules>;
  /** One line for people. */
  readonly words: string;
}

/**
 * `edited` is what the files come to now, or null when they have an error; `own` are the person's pins now, by the
 * server's name.
 */
export function tightenRules(
  start: readonly GatewayServer[],
  startModel: Model,
  edited: Model | null,
  own: ReadonlyMap<string, Pins>,
): Tightened | { readonly words: string } {
  if (edited === null)
    return {
      words:
        "the files were changed and have an error: the rules in force stay",
    };
  let stricter = false;
  let wider = given(edited).some(
    ({ name, transport }) =>
      transport.kind === "http" && !start.some((s) => s.name === name),
  );
  const rules = new Map<string, Rules>();
  for (const server of start) {
    const same = edited.servers.find(
      ({ name, transport }) =>
        name === server.name &&
        // Another address under this name is another server, and waits like one.
        transport.kind === "http" &&
        transport.url === server.transport.url,
    );
    const before = startModel.servers.find((s) => s.name === server.name);
    const policy =
      same === undefined ? null : preparePolicy(same, edited.airGap);
    const limits = same === undefined ? server.limits : limitsOf(same.limits);
    const pins = withNew(server.pins, pinsOf(edited, own, server.name));
    stricter ||= pins.length > server.pins.length;
    const difference =
      policy === null || same === undefined || before === undefined
        ? { stricter: true, wider: false }
        : compare(
            { policy: server.policy, limits: server.limits, server: before },
            { policy, limits, server: same },
          );
    stricter ||= difference.stricter;
    wider ||= difference.wider;
    rules.set(server.name, {
      policy: tightenPolicy(server.policy, policy),
      limits: {
        call: Math.min(server.limits.call, limits.call),
        request: Math.min(server.limits.request, limits.request),
        response: Math.min(server.limits.response, limits.response),
      },
      pins,
    });
  }
  return { rules, words: wordsFor(stricter, wider) };
}

function wordsFor(stricter: boolean, wider: boolean): string {
  const first = "the files were read again: ";
  const waits = "what is wider waits for a new start";
  if (stricter)
    return `${first}what is stricter holds now${wider ? `, ${waits}` : ""}`;
  return first + (wider ? waits : "the rules are those of the start");
}

/** Pins of the start, and those of now that say something else. */
const withNew = (
  start: readonly Pins[],
  now: readonly Pins[],
): readonly Pins[] => [
  ...start,
  ...now.filter((pins) => !start.some((old) => samePins(old, pins))),
];

const samePins = (a: Pins, b: Pins): boolean =>
  a.instructions === b.instructions &&
  a.tools.size === b.tools.size &&
  [...a.tools].every(([tool, hash]) => b.tools.get(tool) === hash);

interface Side extends Omit<Rules, "pins"> {
  readonly server: Server;
}

const RANK: Readonly<Record<Effect, number>> = { allow: 0, ask: 1, deny: 2 };

/** For the words only: whether a name that stands in the rules of either side, or fills one of their patterns, differs. */
function compare(
  before: Side,
  now: Side,
): { readonly stricter: boolean; readonly wider: boolean } {
  let stricter = false;
  let wider = false;
  for (const tool of new Set([before, now].flatMap(namesIn))) {
    const was = RANK[decide(before.policy, { tool }).effect];
    const is = RANK[decide(now.policy, { tool }).effect];
    if (is > was) stricter = true;
    if (is < was) wider = true;
  }
  for (const key of ["call", "request", "response"] as const) {
    if (now.limits[key] < before.limits[key]) stricter = true;
    if (now.limits[key] > before.limits[key]) wider = true;
  }
  return { stricter, wider };
}

const namesIn = ({ server }: Side): readonly string[] =>
  server.tools.flatMap((layer) =>
    textsOf(layer).flatMap((text) => [
      text,
      text.replaceAll("*", "x"),
      text.replaceAll("*", ""),
    ]),
  );

const textsOf = ({ allow, ask, deny }: ToolLayer): readonly string[] => [
  ...(allow.kind === "only" ? allow.rules.map((rule) => rule.text) : []),
  ...[...ask, ...deny].map((rule) => rule.text),
  // A name that no rule means.
  "x",
];
