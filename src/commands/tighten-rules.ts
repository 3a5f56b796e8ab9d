// What an edit of the files means for a door that is open: the strictest of what they said at its start and of
// what they say now. Wider waits for a new start; a file with an error changes nothing.
import { given } from "../deliver/deliver.ts";
import { limitsOf, type CallLimits } from "../enforce/door.ts";
import { pinsOf, samePins, type PinCheck } from "../enforce/pins.ts";
import { printTemplate } from "../match/template.ts";
import type {
  Model,
  Pins,
  Server,
  Sourced,
  ToolLayer,
  Transport,
} from "../model/model.ts";
import {
  decide,
  preparePolicy,
  tightenPolicy,
  type Effect,
  type Policy,
} from "../policy/decide.ts";

export interface Rules {
  readonly policy: Policy;
  readonly limits: CallLimits;
  /** Those of the start and those of now: what one of them hides stays hidden. */
  readonly pins: PinCheck;
}

interface Tightened {
  readonly rules: ReadonlyMap<string, Rules>;
  /** One line for people. */
  readonly words: string;
}

/** A server as a door serves it since its start. */
interface StartedServer extends Rules {
  readonly name: string;
  readonly transport: Transport;
}

export interface Edit {
  readonly start: readonly StartedServer[];
  readonly startModel: Model;
  /** What the files come to now, or null when they have an error. */
  readonly edited: Model | null;
  /** Which of its servers a new start would serve. */
  readonly serves: (server: Server) => boolean;
  /** The person's own pins now, by the server's name. */
  readonly own: ReadonlyMap<string, Pins>;
}

export function tightenRules({
  start,
  startModel,
  edited,
  serves,
  own,
}: Edit): Tightened | { readonly words: string } {
  if (edited === null)
    return {
      words:
        "the files were changed and have an error: the rules in force stay",
    };
  let stricter = false;
  let wider = given(edited).some(
    (server) => serves(server) && !start.some((s) => s.name === server.name),
  );
  const rules = new Map<string, Rules>();
  for (const server of start) {
    const same = edited.servers.find(
      ({ name, transport }) =>
        name === server.name &&
        // Another address or command under this name is another server, and waits like one.
        isSame(transport, server.transport),
    );
    const before = startModel.servers.find((s) => s.name === server.name);
    const policy = same === undefined ? null : preparePolicy(same, edited);
    const limits = same === undefined ? server.limits : limitsOf(same.limits);
    const { sha256, pins: pinned } = server.pins;
    const pins = withNew(pinned, pinsOf(edited, own, server.name));
    stricter ||= pins.length > pinned.length;
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
      pins: { sha256, pins },
    });
  }
  return { rules, words: wordsFor(stricter, wider) };
}

function isSame(a: Transport, b: Transport): boolean {
  if (a.kind === "http") return b.kind === "http" && a.url === b.url;
  return b.kind === "stdio" && commandOf(a) === commandOf(b);
}

const commandOf = ({ command }: Transport & { readonly kind: "stdio" }) =>
  JSON.stringify(command.map(({ value }) => printTemplate(value)));

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
  const [was, is] = [before, now].map(restrictionsOf);
  if (is?.some((text) => was?.includes(text) !== true)) stricter = true;
  if (was?.some((text) => is?.includes(text) !== true)) wider = true;
  for (const key of ["call", "request", "response"] as const) {
    if (now.limits[key] < before.limits[key]) stricter = true;
    if (now.limits[key] > before.limits[key]) wider = true;
  }
  return { stricter, wider };
}

/** What restricts arguments, as texts: one that is gone makes wider, one that is new stricter, a changed list both. */
const restrictionsOf = ({ server, policy }: Side): readonly string[] => [
  ...server.paths.map(({ layer, read, write }) =>
    JSON.stringify([layer, textsIn(read), textsIn(write)]),
  ),
  ...server.hosts.map(({ layer, allow, ports }) =>
    JSON.stringify([layer, allow && textsIn(allow), ports && textsIn(ports)]),
  ),
  ...server.rates.map(({ calls, window }) => `${calls} in ${window}`),
  ...policy.arguments.restrictions,
];

const textsIn = (list: readonly Sourced<unknown>[]) =>
  list.map(({ value }) => value);

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
