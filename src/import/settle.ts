// Which of the servers found can be added: names and hosts must be free, here and in what is defined already.
import { report } from "../diagnostics/catalog.ts";
import type { Diagnostic, Span } from "../diagnostics/diagnostic.ts";
import {
  beginnings,
  foldServerName,
  isPrefixPair,
  isReservedName,
} from "../match/server-name.ts";
import { hostKey, parseServerUrl, type ServerUrl } from "../match/url.ts";
import type { ServerEntry } from "../../schemas/fenzi.ts";
import type {
  KeepReason,
  ServerReason,
} from "../../schemas/import-document.ts";
import { definition, wholeDefinition } from "./definition.ts";
import type { Candidate } from "./to-server.ts";

/** A server that some layer defines or narrows already. */
export interface ExistingServer {
  readonly name: string;
  /** As it is written there. */
  readonly entry: ServerEntry;
  /** Its name in that file. */
  readonly at: Span;
  /** True when no other server may be on its host and port: a machine's server, seen from a project. */
  readonly ownsHost: boolean;
}

/** What becomes of each candidate; one that is the same as an earlier one of another file has no row. */
type Settled =
  | { readonly kind: "add"; readonly candidate: Candidate }
  | {
      readonly kind: "keep";
      readonly candidate: Candidate;
      readonly reason: KeepReason;
      readonly at: Span;
      readonly diagnostic: Diagnostic;
    }
  | {
      readonly kind: "drop";
      readonly candidate: Candidate;
      readonly reason: ServerReason;
      readonly diagnostic: Diagnostic;
    };

/** Answers in the order of the candidates. */
export function settle(
  candidates: readonly Candidate[],
  existing: readonly ExistingServer[],
): readonly Settled[] {
  const known = new Map<string, ExistingServer[]>();
  for (const server of existing) {
    const key = foldServerName(server.name);
    const same = known.get(key);
    if (same === undefined) known.set(key, [server]);
    else same.push(server);
  }
  const settled = new Map<Candidate, Settled | "one">();
  const first = new Map<string, Candidate>();
  for (const candidate of candidates) {
    const answer =
      asGuard(candidate) ??
      asExisting(candidate, known.get(foldServerName(candidate.name)) ?? []) ??
      asEarlier(candidate, first);
    if (answer !== null) settled.set(candidate, answer);
  }
  const open = () => candidates.filter((c) => !settled.has(c));
  for (const [candidate, answer] of namesThatMeet(open(), existing))
    settled.set(candidate, answer);
  for (const [candidate, answer] of hostsTaken(open(), existing))
    settled.set(candidate, answer);
  return candidates.flatMap((candidate) => {
    const answer = settled.get(candidate) ?? { kind: "add", candidate };
    return answer === "one" ? [] : [answer];
  });
}

function keep(
  candidate: Candidate,
  reason: "same" | "different",
  other: Span,
): Settled {
  const { name } = candidate;
  return {
    kind: "keep",
    candidate,
    reason,
    at: other,
    diagnostic: report(
      "import/kept",
      { name, same: reason === "same" },
      {
        at: candidate.at,
        notes: [{ message: "the one that stays is here", at: other }],
      },
    ),
  };
}

function drop(
  candidate: Candidate,
  reason: ServerReason,
  why: string,
  other: { readonly name: string; readonly at: Span } | null,
): Settled {
  return {
    kind: "drop",
    candidate,
    reason,
    diagnostic: report(
      "import/server-dropped",
      { name: candidate.from, reason, why },
      {
        at: candidate.at,
        notes:
          other === null
            ? []
            : [{ message: `\`${other.name}\` is here`, at: other.at }],
      },
    ),
  };
}

const asGuard = (candidate: Candidate): Settled | null =>
  candidate.guard
    ? {
        kind: "keep",
        candidate,
        reason: "fenzi-guard",
        at: candidate.at,
        diagnostic: report(
          "import/guard-skipped",
          { name: candidate.name },
          { at: candidate.at },
        ),
      }
    : null;

/** A server of that name is there already: the same, a different one, or one whose name only looks alike. */
function asExisting(
  candidate: Candidate,
  others: readonly ExistingServer[],
): Settled | null {
  const own = definition(candidate.entry);
  const same = others.find((o) => definition(o.entry) === own);
  if (same !== undefined) return keep(candidate, "same", same.at);
  const named = others.filter((o) => o.name === candidate.name);
  const other =
    named.find((o) => o.entry.url !== undefined || o.entry.command) ?? named[0];
  if (other !== undefined) return keep(candidate, "different", other.at);
  return others[0] === undefined
    ? null
    : drop(
        candidate,
        "name-taken",
        `would be named too much like \`${others[0].name}\``,
        others[0],
      );
}

/** A server of the same name in an earlier file. Two of one file are dealt with by `namesThatMeet`. */
function asEarlier(
  candidate: Candidate,
  first: Map<string, Candidate>,
): Settled | "one" | null {
  const key = foldServerName(candidate.name);
  const earlier = first.get(key);
  if (earlier === undefined) {
    first.set(key, candidate);
    return null;
  }
  if (earlier.group === candidate.group) return null;
  if (wholeDefinition(earlier.entry) === wholeDefinition(candidate.entry))
    return "one";
  return earlier.name === candidate.name
    ? keep(candidate, "different", earlier.at)
    : null;
}

/** Names that are equal but for case and `-` or `_`, that form a pair like `gw` and `gw_x`, or that are reserved. */
function namesThatMeet(
  candidates: readonly Candidate[],
  existing: readonly ExistingServer[],
): ReadonlyMap<Candidate, Settled> {
  const out = new Map<Candidate, Settled>();
  const named = [...existing, ...candidates];
  const byFold = new Map<string, Candidate>();
  const byLower = new Map<string, (typeof named)[number]>();
  for (const one of named) byLower.set(one.name.toLowerCase(), one);
  const meet = (a: Candidate, b: { name: string; at: Span; from?: string }) => {
    const called = b.from ?? b.name;
    if (!out.has(a))
      out.set(
        a,
        drop(a, "name-taken", `would be named too much like \`${called}\``, {
          name: called,
          at: b.at,
        }),
      );
  };
  for (const candidate of candidates) {
    if (isReservedName(candidate.name))
      out.set(
        candidate,
        drop(
          candidate,
          "name-taken",
          "has a name that an agent reserves",
          null,
        ),
      );
    const key = foldServerName(candidate.name);
    const twin = byFold.get(key);
    if (twin === undefined) byFold.set(key, candidate);
    else {
      meet(twin, candidate);
      meet(candidate, twin);
    }
  }
  for (const one of named)
    for (const shorter of beginnings(one.name)) {
      const other = byLower.get(shorter);
      if (other === undefined || !isPrefixPair(other.name, one.name)) continue;
      if ("from" in one) meet(one, other);
      if ("from" in other) meet(other, one);
    }
  return out;
}

/** One server for each host, port and path; and none beside a server that owns its host. */
function hostsTaken(
  candidates: readonly Candidate[],
  existing: readonly ExistingServer[],
): ReadonlyMap<Candidate, Settled> {
  const out = new Map<Candidate, Settled>();
  const hosts = new Map<string, ExistingServer>();
  const paths = new Map<string, { readonly name: string; readonly at: Span }>();
  for (const server of existing) {
    const url = urlOf(server.entry);
    if (url === null) continue;
    if (server.ownsHost) hosts.set(hostKey(url), server);
    paths.set(`${hostKey(url)}${url.path}`, server);
  }
  for (const candidate of candidates) {
    const url = urlOf(candidate.entry);
    if (url === null) continue;
    const key = `${hostKey(url)}${url.path}`;
    const other = hosts.get(hostKey(url)) ?? paths.get(key);
    if (other === undefined)
      paths.set(key, { name: candidate.from, at: candidate.at });
    else
      out.set(
        candidate,
        drop(
          candidate,
          "host-taken",
          `is at the address of \`${other.name}\``,
          other,
        ),
      );
  }
  return out;
}

function urlOf(entry: ServerEntry): ServerUrl | null {
  const parsed = entry.url === undefined ? null : parseServerUrl(entry.url);
  return parsed !== null && "value" in parsed ? parsed.value : null;
}
