// The rules about a call's arguments, made ready, and judged on what was found in them: paths as they were resolved
// outside, texts as they were sent. Pure and total; linear in the arguments.
import { expressionOf, type Expression } from "../match/expression.ts";
import { findForms } from "../match/find-forms.ts";
import { hostMatches, hostRule, namedHosts } from "../match/named-hosts.ts";
import { isAbsolute, pathMatches, segmentsOf } from "../match/path-glob.ts";
import { printRate } from "../match/rate.ts";
import { allowMatches } from "../match/tool-pattern.ts";
import type {
  CommonRules,
  HostLayer,
  Origin,
  PathLayer,
  Rate,
  Server,
  Sourced,
} from "../model/model.ts";
import type { Reason } from "./decide.ts";
import { privateMatcher, type PrivateMatcher } from "./private-list.ts";

/** What the arguments of one call hold. */
export interface CallArguments {
  /** Every string in them, names included. */
  readonly texts: readonly NamedText[];
  readonly paths: readonly NamedPath[];
  /** More of them look like paths than can be looked at. */
  readonly tooMany: boolean;
  /** Of each rate of the policy: whether that many calls were let through in its window. */
  readonly spent: readonly boolean[];
}

export interface NamedText {
  readonly text: string;
  /** The argument it stands in, when its name may be shown. */
  readonly argument: string | null;
}

export interface NamedPath {
  readonly argument: string | null;
  /** A whole string; a part of one counts for private files only. */
  readonly whole: boolean;
  /** Absolute, with `/`, without `..`, before links were followed. */
  readonly written: readonly string[];
  /** Where they lead, one or more when programs differ; null when that cannot be said. */
  readonly real: readonly string[] | null;
}

interface PreparedPaths {
  readonly layer: PathLayer;
  readonly folder: readonly string[];
  readonly read: readonly Glob[];
  readonly write: readonly Glob[];
  /** The tools that only read. */
  readonly reads: readonly string[];
}

interface Glob {
  readonly absolute: boolean;
  readonly segments: readonly string[];
}

/** Rules about arguments, made ready once. */
export interface ArgumentPolicy {
  /** Absolute: where relative paths in arguments start. */
  readonly folder: string;
  /** No link leads to it. */
  readonly folderIsReal: boolean;
  readonly home: string;
  readonly paths: readonly PreparedPaths[];
  readonly hosts: readonly HostLayer[];
  readonly isPrivate: readonly PrivateMatcher[];
  readonly refuse: readonly {
    readonly expression: Expression;
    readonly origin: Origin;
  }[];
  readonly redact: readonly string[];
  /** What is said for all servers, as texts, to be compared after an edit. */
  readonly restrictions: readonly string[];
  readonly rates: readonly Rate[];
}

const slashes = (path: string): string =>
  /^[A-Za-z]:\\|^\\\\/.test(path) ? path.replaceAll("\\", "/") : path;

export function prepareArguments(
  server: Server,
  rules: Omit<CommonRules, "airGap">,
): ArgumentPolicy {
  const { transport } = server;
  const home = slashes(rules.own.home);
  const given =
    transport.kind === "stdio" &&
    transport.cwd !== "default" &&
    "value" in transport.cwd
      ? transport.cwd.value
      : server.folder;
  const globs = (list: readonly Sourced<string>[]) =>
    list.map(({ value }): Glob => {
      const text = value.startsWith("~/") ? home + value.slice(1) : value;
      return { absolute: isAbsolute(text), segments: segmentsOf(text) };
    });
  return {
    folder: slashes(given),
    folderIsReal: given === server.folder,
    home,
    paths: server.paths.map((layer) => ({
      layer,
      folder: segmentsOf(slashes(layer.folder)),
      read: globs(layer.read),
      write: globs(layer.write),
      reads: server.reads.map(({ text }) => text),
    })),
    hosts: server.hosts.map((layer) => ({
      ...layer,
      allow:
        layer.allow?.map((rule) => ({
          ...rule,
          value: hostRule(rule.value),
        })) ?? null,
    })),
    isPrivate: [privateMatcher(rules)],
    refuse: rules.secrets.refuse.map(({ value, origin }) => ({
      expression: expressionOf(value),
      origin,
    })),
    redact: rules.secrets.redact.map(({ value }) => value),
    restrictions: [
      ...rules.private.flatMap(({ kind, lines }) =>
        lines.map(({ value }) => `${kind} ${value}`),
      ),
      ...rules.secrets.refuse.map(({ value }) => `refuse ${value}`),
      ...rules.secrets.redact.map(({ value }) => `redact ${value}`),
    ],
    rates: server.rates,
  };
}

/** Both hold. */
export const joinArguments = (
  start: ArgumentPolicy,
  edited: ArgumentPolicy,
): ArgumentPolicy => ({
  folder: start.folder,
  folderIsReal: start.folderIsReal,
  home: start.home,
  paths: [...start.paths, ...edited.paths],
  hosts: [...start.hosts, ...edited.hosts],
  isPrivate: [...start.isPrivate, ...edited.isPrivate],
  refuse: [...start.refuse, ...edited.refuse],
  redact: [...new Set([...start.redact, ...edited.redact])],
  restrictions: [...start.restrictions, ...edited.restrictions],
  rates: [...start.rates, ...edited.rates],
});

/** Why the arguments of a call are refused, or null. `origin`: who has the last word where no line says anything. */
export function argumentProblem(
  policy: ArgumentPolicy,
  origin: Origin,
  tool: string,
  found: CallArguments,
): Reason | null {
  if (found.tooMany)
    return {
      rule: "private",
      message: "the arguments hold more that looks like a path than is checked",
      origin,
    };
  for (const path of found.paths) {
    const reason = privateProblem(policy, origin, path);
    if (reason !== null) return reason;
  }
  for (const path of found.paths) {
    if (path.whole && path.real === null)
      return {
        rule: "paths",
        message: `${named(path)} names a path that cannot be followed to its end; allowed: one that can`,
        origin,
      };
    const reason = pathProblem(policy, tool, path);
    if (reason !== null) return reason;
  }
  for (const text of found.texts) {
    const reason =
      hostProblem(policy, text) ?? secretProblem(policy, origin, text);
    if (reason !== null) return reason;
  }
  return rateProblem(policy, found.spent);
}

const named = ({ argument }: { readonly argument: string | null }): string =>
  argument === null ? "an argument" : `\`${argument}\``;

function privateProblem(
  policy: ArgumentPolicy,
  origin: Origin,
  path: NamedPath,
): Reason | null {
  for (const place of placesOf(path))
    for (const isPrivate of policy.isPrivate) {
      const hit = isPrivate(place);
      if (hit === null) continue;
      const why =
        hit.kind === "own"
          ? "Fenzi's own files are"
          : hit.kind === "built-in"
            ? `\`${hit.text}\` always is`
            : `\`${hit.text}\` of ${hit.kind === "private" ? "`private`" : "`.fenziignore`"}`;
      return {
        rule: "private",
        message: `${named(path)} names a private file (${why}); other files may be named`,
        origin: hit.origin ?? origin,
      };
    }
  return null;
}

/** As written and where it leads; mostly that is the same. */
const placesOf = ({ written, real }: NamedPath): readonly string[] =>
  real === null || (real.length === 1 && real[0] === written[0])
    ? written
    : [...written, ...real];

const MOST_SHOWN = 8;
const listed = (rules: readonly Sourced<string | number>[]): string =>
  rules.length === 0
    ? "nothing is allowed"
    : `allowed: ${rules
        .slice(0, MOST_SHOWN)
        .map(({ value }) => `\`${value}\``)
        .join(", ")}${rules.length > MOST_SHOWN ? ", …" : ""}`;

function pathProblem(
  policy: ArgumentPolicy,
  tool: string,
  path: NamedPath,
): Reason | null {
  if (!path.whole || path.real === null || policy.paths.length === 0)
    return null;
  for (const place of path.real) {
    const segments = segmentsOf(place);
    for (const { layer, folder, read, write, reads: tools } of policy.paths) {
      const inside = folder.every((name, i) => segments[i] === name)
        ? segments.slice(folder.length)
        : null;
      const fits = ({ absolute, segments: glob }: Glob): boolean =>
        absolute
          ? pathMatches(glob, segments)
          : inside !== null && pathMatches(glob, inside);
      const reads = tools.some((rule) => allowMatches(rule, tool));
      if (write.some(fits) || (reads && read.some(fits))) continue;
      if (!layer.written)
        return {
          rule: "paths",
          message: `${named(path)} names a file outside the folder of the server's project; allowed: files inside it`,
          origin: layer.origin,
        };
      const key = reads ? "read" : "write";
      return {
        rule: `paths.${key}`,
        message: `${named(path)} names a file that \`paths.${key}\` does not list; ${listed(reads ? [...layer.read, ...layer.write] : layer.write)}${reads ? "" : " (a tool that only reads is listed under `tools.reads`)"}`,
        origin: layer.origin,
      };
    }
  }
  return null;
}

function hostProblem(policy: ArgumentPolicy, text: NamedText): Reason | null {
  if (policy.hosts.length === 0) return null;
  for (const { host, port } of namedHosts(text.text))
    for (const { allow, ports, origin } of policy.hosts) {
      if (
        allow !== null &&
        (host === null || !allow.some(({ value }) => hostMatches(value, host)))
      )
        return {
          rule: "hosts.allow",
          message: `${named(text)} names a host that is not allowed; ${listed(allow)}`,
          origin,
        };
      if (
        ports !== null &&
        port !== null &&
        !ports.some(({ value }) => value === port)
      )
        return {
          rule: "hosts.ports",
          message: `${named(text)} names a port that is not allowed; ${listed(ports)}`,
          origin,
        };
    }
  return null;
}

function secretProblem(
  policy: ArgumentPolicy,
  origin: Origin,
  text: NamedText,
): Reason | null {
  if (findForms(text.text).length > 0)
    return {
      rule: "secrets",
      message: `${named(text)} holds what has the form of a key or token; a call without one is allowed`,
      origin,
    };
  const hit = policy.refuse.find(({ expression }) =>
    expression.test(text.text),
  );
  return hit === undefined
    ? null
    : {
        rule: "secrets.refuse",
        message: `${named(text)} holds what \`secrets.refuse\` keeps back; a call without it is allowed`,
        origin: hit.origin,
      };
}

function rateProblem(
  policy: ArgumentPolicy,
  spent: readonly boolean[],
): Reason | null {
  const rate = policy.rates.find((_, i) => spent[i] === true);
  return rate === undefined
    ? null
    : {
        rule: "limits.rate",
        message: `more calls than \`limits.rate\` lets through; allowed: ${printRate(rate)}`,
        origin: rate.origin,
      };
}
